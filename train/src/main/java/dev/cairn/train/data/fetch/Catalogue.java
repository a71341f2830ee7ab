package dev.cairn.train.data.fetch;

import dev.cairn.train.data.fetch.Published.Part;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The data sets that can be downloaded: names, addresses and checksums of their files.
///
/// The SHA-256 sums of MNIST and Fashion-MNIST are those of the files that our training runs used. Two independent
/// users of Jester recorded its sum. The MD5 sums of MovieLens come from its publisher.
public final class Catalogue {
    /// The files of MNIST and data sets like it, images before their labels; published with the suffix `.gz`.
    public static final List<String> IDX_FILES = List.of(
            "train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");

    private static final long MEGABYTE = 1_000_000;

    public static final Published MNIST = idx(
            "mnist",
            "https://storage.googleapis.com/cvdf-datasets/mnist/",
            "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6");

    public static final Published FASHION_MNIST = idx(
            "fashion-mnist",
            "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
            "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
            "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
            "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
            "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5");

    public static final Published JESTER = new Published(
            "jester",
            List.of(new Part(
                    List.of(
                            "jester/jester-data-1.csv",
                            "jester/jester-data-1.xls",
                            "jester/jester-data-1.zip",
                            "jester/jester_dataset_1_1.zip"),
                    "jester_dataset_1_1.zip",
                    URI.create("https://eigentaste.berkeley.edu/dataset/archive/jester_dataset_1_1.zip"),
                    Checksum.sha256("cb7841756ded125b15f3d95c9f8241224065e96354c132a46ae4214deeab7615"),
                    50 * MEGABYTE)));

    public static final Published MOVIELENS_100K =
            movielens("movielens-100k", "ml-100k", "ml-100k", "u.data", "0e33842e24a9c977be4e0107933c0723");

    public static final Published MOVIELENS_1M =
            movielens("movielens-1m", "ml-1m", "ml-1m", "ratings.dat", "c4d9eecfca2ab87c1945afe126590906");

    public static final Published MOVIELENS_10M =
            movielens("movielens-10m", "ml-10m", "ml-10M100K", "ratings.dat", "ce571fd55effeba0271552578f2648bd");

    private Catalogue() {}

    /// The published set with this name, as [DataSets][dev.cairn.train.data.sets.DataSets] knows it.
    public static Optional<Published> of(String name) {
        String whole = name.equals("movielens") ? "movielens-100k" : name;
        return Stream.of(MNIST, FASHION_MNIST, JESTER, MOVIELENS_100K, MOVIELENS_1M, MOVIELENS_10M)
                .filter(published -> published.name().equals(whole))
                .findFirst();
    }

    /// The four files of MNIST or a data set like it, in the order of [#IDX_FILES].
    private static Published idx(String name, String address, String... sha256) {
        var parts = new ArrayList<Part>();
        for (int i = 0; i < sha256.length; i++) {
            String file = IDX_FILES.get(i);
            parts.add(new Part(
                    List.of(name + "/" + file + ".gz", name + "/" + file),
                    file + ".gz",
                    URI.create(address + file + ".gz"),
                    Checksum.sha256(sha256[i]),
                    100 * MEGABYTE));
        }
        return new Published(name, parts);
    }

    /// One archive, packed or unpacked.
    ///
    /// @param unpacked the folder in the archive
    private static Published movielens(String name, String archive, String unpacked, String file, String md5) {
        String zip = archive + ".zip";
        return new Published(
                name,
                List.of(new Part(
                        List.of(
                                name + "/" + file,
                                name + "/" + unpacked + "/" + file,
                                name + "/" + zip,
                                unpacked + "/" + file,
                                archive + "/" + file,
                                archive + "/" + zip,
                                zip),
                        zip,
                        URI.create("https://files.grouplens.org/datasets/movielens/" + zip),
                        Checksum.md5(md5),
                        500 * MEGABYTE)));
    }
}
