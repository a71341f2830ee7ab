/// The server of the dashboard. It answers only readers that it trusts, and only with what lies in its places.
@NullMarked
package dev.cairn.dashboard.web;

import org.jspecify.annotations.NullMarked;
