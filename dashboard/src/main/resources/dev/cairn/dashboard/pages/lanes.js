// Lanes of one chart: one time axis, one cross-hair, one zoom. Failures are bands through all of them.
'use strict';
(() => {
  const {el, bytes, percent, plain, count, seconds, worker, paint, css, second, minute, day, at, failureLabel, spaceTime} = Cairn;
  const WIDE = 128, RIGHT = 12, NARROW = 500, MOST_HOSTS = 6;
  const FONT = '11px Inter, system-ui, "DejaVu Sans", sans-serif';

  // Times between attempts in which nobody trained are drawn short, so that a run that waited a night can be read.
  class TimeMap {
    constructor(begin, end, gaps) {
      const idle = gaps.reduce((sum, [from, to]) => sum + to - from, 0);
      const busy = Math.max(1e-3, end - begin - idle);
      const most = Math.max(30, busy / 12);
      this.cuts = [];
      let shift = 0;
      for (const [from, to] of gaps) {
        if (to - from > most) {
          const short = busy / 40;
          this.cuts.push({from, to, x: from - shift, width: short});
          shift += to - from - short;
        }
      }
      this.begin = begin;
      this.end = end;
    }

    x(t) {
      let shift = 0;
      for (const cut of this.cuts) {
        if (t <= cut.from) break;
        if (t < cut.to) return cut.x + (t - cut.from) / (cut.to - cut.from) * cut.width;
        shift += cut.to - cut.from - cut.width;
      }
      return t - shift;
    }

    t(x) {
      let shift = 0;
      for (const cut of this.cuts) {
        if (x <= cut.x) break;
        if (x < cut.x + cut.width) return cut.from + (x - cut.x) / cut.width * (cut.to - cut.from);
        shift += cut.to - cut.from - cut.width;
      }
      return x + shift;
    }

    // Round times of the day, about so many, between two places.
    ticks(from, to, most) {
      const STEPS = [0.001, 0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 2419200];
      const step = STEPS.find(each => (to - from) / each <= most) || 2419200 * Math.ceil((to - from) / most / 2419200);
      const zone = at(this.t(from)).getTimezoneOffset() * 60;
      const ticks = [], edge = (to - from) / most / 3;
      let last = -Infinity;
      for (const [begin, end] of this.pieces(from, to)) {
        for (let t = Math.ceil((begin - zone) / step) * step + zone; t <= end && ticks.length < 100; t += step) {
          const x = this.x(t);
          if (x - last >= step * 0.6 && x >= from + edge * 0.5 && x <= to - edge) {
            ticks.push(x);
            last = x;
          }
        }
      }
      return {ticks, step};
    }

    pieces(from, to) {
      const pieces = [];
      let begin = this.t(from);
      for (const cut of this.cuts) {
        if (cut.x > from && cut.x < to) {
          pieces.push([begin, cut.from]);
          begin = cut.to;
        }
      }
      pieces.push([begin, this.t(to)]);
      return pieces;
    }
  }

  const timeText = (t, step) => step >= 86400 ? day(t).slice(5) : step >= 60 ? minute(t) : step >= 1 ? second(t) : second(t) + '.' + String(Math.floor(t % 1 * 1000)).padStart(3, '0');

  // One list of x and one of y for each series, with gaps where a series has none.
  function table(series) {
    if (series.length === 0) return [[]];
    return uPlot.join(series.map(each => [each.x, each.y]), series.map(() => [1, 2])); // 2: a gap reaches to the next value
  }

  // Joins stretches: a gap between two of them.
  function chain(stretches, map) {
    const x = [], y = [], s = [];
    for (const stretch of stretches) {
      if (x.length > 0) {
        x.push(x[x.length - 1]);
        y.push(null);
        s.push(null);
      }
      for (let i = 0; i < stretch.t.length; i++) {
        x.push(map.x(stretch.t[i]));
        y.push(stretch.v[i]);
        s.push(stretch.s ? stretch.s[i] : null);
      }
    }
    // Every place once: uPlot joins by them.
    const kept = {x: [], y: [], s: []};
    for (let i = 0; i < x.length; i++) {
      const before = kept.x.length - 1;
      const place = before >= 0 && x[i] <= kept.x[before] ? kept.x[before] + 1e-6 : x[i];
      kept.x.push(place);
      kept.y.push(y[i]);
      kept.s.push(s[i]);
    }
    return kept;
  }

  class Chart {
    // options: onZoom(from, to) in seconds since 1970, or null for all; readout: an element for what lies below the cross-hair
    constructor(box, options) {
      this.box = box;
      this.options = options || {};
      this.lanes = [];
      this.zoomed = null;
      this.key = 'cairn' + Chart.made++;
      this.watcher = new ResizeObserver(() => this.resized());
      this.watcher.observe(box);
      this.scheme = matchMedia('(prefers-color-scheme: dark)');
      this.recolor = () => this.document && this.draw();
      this.scheme.addEventListener('change', this.recolor);
    }

    destroy() {
      this.watcher.disconnect();
      this.scheme.removeEventListener('change', this.recolor);
      this.clear();
    }

    clear() {
      for (const lane of this.lanes) lane.destroy();
      this.lanes = [];
      this.box.replaceChildren();
    }

    resized() {
      const width = this.box.clientWidth;
      if (this.document && width > 0 && Math.abs(width - this.width) > 1) this.draw();
    }

    // Draws the document of a run anew.
    show(document) {
      this.document = document;
      this.draw();
    }

    draw() {
      const d = this.document, lanes = d.lanes;
      const focus = this.lanes.length > 0 && this.lanes[0].cursor && this.lanes[0].cursor.left >= 0 ? this.lanes[0].cursor.left : null;
      this.clear();
      this.width = this.box.clientWidth || 900;
      this.narrow = this.width < NARROW;
      this.map = new TimeMap(d.begin, d.end, lanes.gaps);
      this.bands = lanes.failures.map(f => ({f, x: [this.map.x(f.from), this.map.x(f.to)]}));
      this.lossLane(lanes);
      this.scoreLane(lanes);
      this.savesLane(lanes);
      if (lanes.failures.length > 0) this.failureLane(lanes);
      this.processLane(d);
      this.systemLanes(lanes);
      this.timeLane();
      if (focus !== null) this.lanes.forEach(u => u.setCursor({left: focus, top: -10}, false));
    }

    range() {
      const from = this.map.x(this.document.begin), to = this.map.x(this.document.end);
      if (this.zoomed) return [this.map.x(this.zoomed[0]), this.map.x(this.zoomed[1])];
      return to - from < 1e-3 ? [from - 0.5, from + 0.5] : [from, to + (to - from) * 0.004];
    }

    zoom(from, to) {
      this.zoomed = from == null ? null : [from, to];
      const [min, max] = this.range();
      for (const lane of this.lanes) lane.setScale('x', {min, max});
      if (this.options.onZoom) this.options.onZoom(this.zoomed);
    }

    // Moves what is shown by a part of its width, or makes it wider.
    pan(share) {
      if (!this.zoomed) return;
      const width = this.zoomed[1] - this.zoomed[0];
      const from = Math.max(this.document.begin, Math.min(this.document.end - width, this.zoomed[0] + share * width));
      this.zoom(from, from + width);
    }

    widen(factor) {
      const [from, to] = this.zoomed || [this.document.begin, this.document.end];
      const middle = (from + to) / 2, half = (to - from) / 2 * factor;
      if (2 * half >= this.document.end - this.document.begin) this.zoom(null);
      else if (half > 0.001) this.zoom(middle - half, middle + half);
    }

    lane(name, unit, height, data, series, extra) {
      const holder = el('div', {class: 'lane'}, el('div', {class: 'name'}, el('b', {}, name), unit && el('span', {}, unit)));
      this.box.append(holder);
      const chart = this;
      const narrow = this.narrow;
      const axis = {stroke: css('--soft'), font: FONT, grid: {stroke: css('--grid'), width: 1}, ticks: {show: false}, border: {show: false}};
      const y = Object.assign({}, axis, {show: true, size: narrow ? 8 : WIDE - 8, gap: 6, space: 26}, extra.axis || {});
      if (narrow) y.values = () => [];
      const options = {
        width: this.width, height: height + (narrow && !extra.times ? 14 : 0), padding: extra.padding || [narrow ? 20 : 8, RIGHT, 6, 0], legend: {show: false}, pxAlign: 0.5,
        cursor: {
          y: false, points: {show: extra.points !== false, size: 5, fill: (u, i) => u.series[i].stroke(u, i), width: 0},
          sync: {key: this.key, setSeries: false, scales: ['x', null]}, drag: {x: true, y: false, setScale: false},
          bind: {dblclick: () => () => chart.zoom(null)},
        },
        scales: {x: {time: false, range: () => chart.range()}, y: Object.assign({}, extra.scale || {})},
        axes: [Object.assign({}, axis, {show: !!extra.times, size: 24, gap: 4}, extra.x || {}), y],
        series: [{}, ...series],
        hooks: {
          drawClear: [u => chart.drawBands(u)],
          draw: extra.draw ? [extra.draw] : [],
          setSelect: [u => chart.selected(u)],
          setCursor: [u => chart.pointed(u)],
        },
      };
      if (data.length < 2) options.series = [{}, {points: {show: false}}];
      const u = new uPlot(options, data.length > 1 ? data : [this.range(), [null, null]], holder);
      this.lanes.push(u);
      return u;
    }

    selected(u) {
      if (u.select.width < 4) return;
      const from = this.map.t(u.posToVal(u.select.left, 'x')), to = this.map.t(u.posToVal(u.select.left + u.select.width, 'x'));
      if (this.selecting) return;
      this.selecting = true;
      for (const lane of this.lanes) lane.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
      this.selecting = false;
      if (to > from) this.zoom(from, to);
    }

    pointed(u) {
      if (u !== this.lanes[0] || !this.options.readout) return;
      const left = u.cursor.left;
      if (left == null || left < 0) {
        this.options.readout(null);
        return;
      }
      this.options.readout(this.valuesAt(u.posToVal(left, 'x')));
    }

    // What the curves of the loss and the score say there.
    valuesAt(x) {
      const found = [];
      for (const curve of this.curves) {
        let low = 0, high = curve.x.length - 1;
        if (high < 0) continue;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (curve.x[middle] < x) low = middle + 1;
          else high = middle;
        }
        if (low > 0 && x - curve.x[low - 1] < curve.x[low] - x) low--;
        if (curve.y[low] != null) found.push({name: curve.name, value: curve.y[low], step: curve.s[low], measure: curve.measure});
      }
      return {t: this.map.t(x), found};
    }

    drawBands(u) {
      const {ctx} = u, {left, top, width, height} = u.bbox;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, 0, width, ctx.canvas.height);
      ctx.clip();
      ctx.fillStyle = css('--shade');
      for (const {x: [from, to]} of this.bands) {
        const a = u.valToPos(from, 'x', true), b = u.valToPos(to, 'x', true), least = 3 * devicePixelRatio;
        ctx.fillRect(b - a < least ? a - (least - (b - a)) / 2 : a, 0, Math.max(least, b - a), ctx.canvas.height);
      }
      ctx.strokeStyle = css('--line');
      ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
      for (const cut of this.map.cuts) {
        for (const x of [cut.x, cut.x + cut.width]) {
          const place = u.valToPos(x, 'x', true);
          ctx.beginPath();
          ctx.moveTo(place, 0);
          ctx.lineTo(place, top + height);
          ctx.stroke();
        }
      }
      ctx.restore();
    }

    lossLane(lanes) {
      this.curves = [];
      const curves = [], series = [];
      lanes.loss.forEach((process, index) => {
        const look = worker(index), color = paint(look.color);
        const kept = chain(process.stretches.filter(each => !each.lost), this.map);
        const lost = chain(process.stretches.filter(each => each.lost), this.map);
        if (lost.x.length > 0) {
          curves.push(lost);
          series.push({stroke: color, width: 1, alpha: 0.4, dash: [2, 3], points: {show: false}, label: process.process + ' lost'});
        }
        curves.push(kept);
        series.push({stroke: color, width: 1.5, dash: look.dash, points: {show: kept.x.length === 1}, label: process.process});
        this.curves.push(Object.assign({name: lanes.loss.length > 1 ? process.process : 'loss'}, kept));
      });
      this.lane('loss', 'train', 130, table(curves), series, {axis: {values: (u, all) => all.map(plain)}, scale: {range: padded}});
    }

    scoreLane(lanes) {
      if (lanes.scores.t.length === 0) return;
      const {measure} = lanes.scores, accuracy = measure === 'accuracy';
      const curve = chain([lanes.scores], this.map);
      this.curves.push(Object.assign({name: measure, measure}, curve));
      const color = css('--accent');
      this.lane(measure || 'score', 'test', 84, table([curve]),
          [{stroke: color, width: 1.5, points: {show: true, size: 5, fill: color, width: 0, space: 6}, label: measure}],
          {axis: {values: (u, all) => all.map(accuracy ? percent : plain)}, scale: {range: padded}});
    }

    savesLane(lanes) {
      const saves = lanes.saves, places = saves.t.map(t => this.map.x(t));
      const most = Math.max(2, ...saves.bytes), least = Math.max(1, Math.min(most / 2, ...saves.bytes.filter(each => each > 0)));
      const bottom = Math.log(least) - 0.35 * (Math.log(most) - Math.log(least) + 0.5), top = Math.log(most);
      const data = saves.t.length === 0 ? [[]] : [places.map((x, i) => x + i * 1e-9), saves.bytes.map(each => Math.log(Math.max(1, each)))];
      this.lane('checkpoints', 'size, log', 92, data, [{stroke: 'transparent', paths: () => null, points: {show: false}}], {
        points: false,
        scale: {range: () => [bottom, top + 0.45 * (top - bottom)]},
        axis: {grid: {show: false}, splits: () => top - bottom > 0.6 ? [Math.log(least), top] : [top], values: (u, all) => all.map(each => bytes(Math.exp(each))), space: 10},
        draw: u => {
          this.drawSaves(u, saves, places);
          this.drawChoices(u, lanes.choices);
        },
      });
    }

    drawSaves(u, saves, places) {
      const {ctx} = u, dpr = devicePixelRatio, foot = u.bbox.top + u.bbox.height;
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left, 0, u.bbox.width, ctx.canvas.height);
      ctx.clip();
      ctx.strokeStyle = css('--line');
      ctx.lineWidth = dpr;
      ctx.beginPath();
      ctx.moveTo(u.bbox.left, foot);
      ctx.lineTo(u.bbox.left + u.bbox.width, foot);
      ctx.stroke();
      const stoneColor = css('--stone'), baseColor = css('--base'), card = css('--card');
      for (const kind of ['delta', 'merged', 'base']) {
        for (let i = 0; i < places.length; i++) {
          if ((saves.kind[i] === 'base' || saves.kind[i] === 'merged' ? saves.kind[i] : 'delta') !== kind) continue;
          const x = u.valToPos(places[i], 'x', true), y = u.valToPos(Math.log(Math.max(1, saves.bytes[i])), 'y', true);
          const half = (kind === 'base' ? 2.5 : 1.5) * dpr, height = Math.max(2 * dpr, foot - y);
          ctx.beginPath();
          ctx.roundRect(x - half, foot - height, 2 * half, height, 1.5 * dpr);
          ctx.fillStyle = kind === 'base' ? baseColor : kind === 'merged' ? card : stoneColor;
          ctx.fill();
          if (kind === 'merged') {
            ctx.strokeStyle = stoneColor;
            ctx.lineWidth = 1.2 * dpr;
            ctx.stroke();
          }
        }
      }
      ctx.restore();
    }

    drawChoices(u, choices) {
      const {ctx} = u, dpr = devicePixelRatio;
      ctx.save();
      ctx.font = 11 * dpr + 'px Inter, system-ui, "DejaVu Sans", sans-serif';
      ctx.strokeStyle = css('--accent');
      ctx.fillStyle = css('--soft');
      ctx.setLineDash([2 * dpr, 3 * dpr]);
      ctx.textAlign = 'left';
      ctx.textBaseline = 'alphabetic';
      let free = u.bbox.left;
      for (const choice of choices) {
        if (!choice.followed) continue;
        const x = u.valToPos(this.map.x(choice.t), 'x', true);
        if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
        ctx.beginPath();
        ctx.moveTo(x, u.bbox.top);
        ctx.lineTo(x, u.bbox.top + u.bbox.height);
        ctx.stroke();
        const text = 'every ' + seconds(choice.seconds), wide = ctx.measureText(text).width;
        if (!this.narrow && x + 4 * dpr > free && x + wide + 8 * dpr < u.bbox.left + u.bbox.width) {
          ctx.fillText(text, x + 4 * dpr, u.bbox.top + 9 * dpr);
          free = x + wide + 14 * dpr;
        }
      }
      ctx.restore();
    }

    failureLane(lanes) {
      this.lane('failures', '', 46, [this.range(), [null, null]], [{points: {show: false}}], {
        points: false, scale: {range: () => [0, 1]}, axis: {values: () => [], grid: {show: false}},
        draw: u => {
          const {ctx} = u, dpr = devicePixelRatio, middle = u.bbox.top + u.bbox.height / 2, arm = 5 * dpr;
          ctx.save();
          ctx.beginPath();
          ctx.rect(u.bbox.left - arm, 0, u.bbox.width + 2 * arm, ctx.canvas.height);
          ctx.clip();
          ctx.font = 11 * dpr + 'px Inter, system-ui, "DejaVu Sans", sans-serif';
          ctx.textBaseline = 'middle';
          ctx.textAlign = 'left';
          ctx.strokeStyle = ctx.fillStyle = css('--bad');
          ctx.lineWidth = 2 * dpr;
          const places = lanes.failures.map(f => u.valToPos(this.map.x(f.from), 'x', true));
          lanes.failures.forEach((failure, i) => {
            const x = places[i];
            ctx.beginPath();
            ctx.moveTo(x - arm, middle - arm);
            ctx.lineTo(x + arm, middle + arm);
            ctx.moveTo(x + arm, middle - arm);
            ctx.lineTo(x - arm, middle + arm);
            ctx.stroke();
            if (this.narrow) return;
            const text = failureLabel(failure), wide = ctx.measureText(text).width;
            const next = i + 1 < places.length ? places[i + 1] - 2 * arm : u.bbox.left + u.bbox.width;
            const begin = Math.max(x + 2 * arm, Math.min(next, u.valToPos(this.map.x(failure.to), 'x', true) + arm));
            if (begin + wide < next) ctx.fillText(text, begin, middle);
            else if (x + 2 * arm + wide < next) ctx.fillText(text, x + 2 * arm, middle);
            else if (i + 1 === places.length && x - 2 * arm - wide > (i === 0 ? u.bbox.left : places[i - 1] + 2 * arm)) ctx.fillText(text, x - 2 * arm - wide, middle);
          });
          ctx.restore();
        },
      });
    }

    // The processes of a training by several, as lines in space and time.
    processLane(d) {
      const names = spaceTime.processes(d), last = names.length - 1;
      if (last < 1) return;
      const row = names.length > 16 ? 9 : this.narrow ? 26 : 22, diagram = new spaceTime.Diagram(d, names, this.map);
      this.lane('processes', '', 20 + row * names.length, [this.range(), [null, null]], [{points: {show: false}}], {
        points: false, scale: {range: () => [-0.8, last + 0.8]},
        axis: {grid: {show: false}, splits: () => names.map((_, i) => last - i), values: () => row < 12 ? names.map((name, i) => i % 4 === 0 ? name : '') : names, space: 1},
        draw: u => diagram.draw(u, this.narrow),
      });
      this.box.lastChild.append(spaceTime.legend(d));
    }

    // Of a host alone, and of several: the processor of each in a lane of its own, the rest side by side.
    systemLanes(lanes) {
      const machines = lanes.machines;
      if (machines.length === 0) return;
      const several = machines.length > 1, processes = machines.flatMap(machine => machine.processes);
      const ofCores = machine => 'of ' + machine.cores + (machine.cores === 1 ? ' core' : ' cores');
      const lane = (name, unit, curves, values, draw) => {
        const shown = curves.filter(each => each.curve && each.curve.v.some(value => value > 0));
        if (shown.length === 0) return;
        const made = shown.map(each => chain([each.curve], this.map));
        this.lane(name, unit, 62, table(made), shown.map(each => Object.assign({width: 1.1, points: {show: false}, label: each.label}, each.look)),
            {axis: {values: (u, all) => all.map(values), space: 20}, scale: {range: fromZero}, points: false, draw});
      };
      const look = i => ({stroke: paint(worker(i).color), dash: worker(i).dash});
      const own = (key, some) => processes.map((each, i) => ({curve: each[key], label: each.process, look: look(i), each})).filter(each => some.includes(each.each));
      const ofHosts = key => machines.map((each, i) => ({curve: each[key], label: each.host, look: several ? look(i) : {stroke: css('--w0')}}));
      const whole = machine => ({curve: machine.cpu, label: 'all of ' + machine.host, look: {stroke: css('--soft'), dash: [1, 2]}});
      const names = several && (u => this.drawHosts(u, machines, look));
      if (machines.length > MOST_HOSTS) lane('cpu', 'cores busy', ofHosts('cpu'), plain, names);
      else for (const machine of machines) lane('cpu', several ? machine.host + ', ' + ofCores(machine) : ofCores(machine), [whole(machine), ...own('cpu', machine.processes)], plain);
      lane('memory', 'of workers', own('memory', processes), bytes);
      lane('network', 'sent /s', ofHosts('sent'), bytes, names);
      lane('network', 'received /s', several ? ofHosts('received') : [], bytes, names);
      lane('disk', 'written /s', ofHosts('written'), bytes, names);
      lane('disk', 'read /s', ofHosts('read'), bytes, names);
    }

    // The names of hosts in the colours of their lines, from the right.
    drawHosts(u, machines, look) {
      const {ctx} = u, dpr = devicePixelRatio, y = u.bbox.top + 4 * dpr;
      let x = u.bbox.left + u.bbox.width;
      ctx.save();
      ctx.font = 11 * dpr + 'px Inter, system-ui, "DejaVu Sans", sans-serif';
      ctx.textAlign = 'right';
      ctx.textBaseline = 'middle';
      for (let i = machines.length - 1; i >= 0; i--) {
        const wide = ctx.measureText(machines[i].host).width;
        if (x - wide - 18 * dpr < u.bbox.left) break;
        ctx.fillStyle = ctx.strokeStyle = look(i).stroke;
        ctx.fillText(machines[i].host, x, y);
        ctx.lineWidth = 1.5 * dpr;
        ctx.setLineDash((look(i).dash || []).map(each => each * dpr));
        ctx.beginPath();
        ctx.moveTo(x - wide - 16 * dpr, y);
        ctx.lineTo(x - wide - 4 * dpr, y);
        ctx.stroke();
        x -= wide + 28 * dpr;
      }
      ctx.restore();
    }

    timeLane() {
      const chart = this;
      const most = Math.max(2, Math.floor((this.width - (this.narrow ? 20 : WIDE)) / (this.narrow ? 80 : 100)));
      this.lane('', '', 30, [this.range(), [null, null]], [{points: {show: false}}], {
        points: false, times: true, padding: [0, RIGHT, 0, 0], scale: {range: () => [0, 1]}, axis: {values: () => [], grid: {show: false}},
        x: {
          grid: {show: false}, splits: (u, i, min, max) => (chart.ticks = chart.map.ticks(min, max, most)).ticks,
          values: (u, all) => all.map(x => timeText(chart.map.t(x), chart.ticks.step)),
        },
      });
    }
  }
  Chart.made = 0;

  function padded(u, min, max) {
    if (min == null) return [0, 1];
    const room = (max - min) * 0.08 || Math.abs(max) * 0.1 || 0.5;
    return [min >= 0 && min - room < 0 ? 0 : min - room, max + room];
  }

  const fromZero = (u, min, max) => [0, max == null || max <= 0 ? 1 : max * 1.12];

  Object.assign(Cairn, {Chart, TimeMap});
})();
