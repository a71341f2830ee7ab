// The processes of a training in space and time: a line for each, checkpoints as stones, exchanges, deaths, where state came
// from, and the recovery line: the newest state that all of them had, from which they went on.
'use strict';
(() => {
  const {el, worker, paint, css} = Cairn;
  const MOST = 64, NEAR = 5;

  const servers = d => String(d.settings.mode || '').startsWith('ps') ? ['ps0'] : [];

  // Their names, from top to bottom; none of a training by one process.
  function processes(d) {
    const several = Math.min(MOST, Math.max(0, d.settings.workers > 1 || servers(d).length > 0 ? d.settings.workers : 0));
    const gone = d.lanes.failures.filter(f => f.kind === 'replaced').map(f => f.who);
    const names = [...new Set([...servers(d), ...Array.from({length: several}, (_, i) => 'w' + i), ...gone])].filter(name => name);
    return names.length < 2 ? [] : names;
  }

  const deaths = d => d.lanes.failures.filter(f => f.kind === 'replaced' || f.kind === 'killed' || f.kind === 'failed');

  // When a process was there. That another one died does not end it, unless all did.
  function lifetimes(d, name) {
    const spans = [];
    for (const attempt of d.attempts.slice().sort((a, b) => a.from - b.from)) {
      const last = spans[spans.length - 1];
      const goesOn = last && (attempt.from <= last[1] || deaths(d).some(f => !f.whole && Math.abs(f.from - last[1]) < 0.01));
      if (goesOn) last[1] = Math.max(last[1], attempt.to);
      else spans.push([attempt.from, attempt.to]);
    }
    for (const f of deaths(d)) {
      if (f.who !== name || f.whole) continue;
      for (let i = 0; i < spans.length; i++) {
        const [from, to] = spans[i];
        if (f.from < to && f.to > from) spans.splice(i, 1, ...[[from, f.from], [f.to, to]].filter(([a, b]) => b > a));
      }
    }
    return spans;
  }

  // The ends of the steps that are shown, if most of them are far enough apart to be seen.
  function exchanges(d, place, left, right) {
    const found = [];
    let near = 0;
    for (const stretch of d.lanes.loss.flatMap(each => each.stretches)) {
      for (let i = 1; i < stretch.t.length; i++) {
        const x = place(stretch.t[i]);
        if (x < left || x > right) continue;
        if (stretch.s[i] === stretch.s[i - 1] + 1 && x - place(stretch.t[i - 1]) >= NEAR * devicePixelRatio) found.push(stretch.t[i]);
        else near++;
      }
    }
    return near > found.length ? [] : found;
  }

  class Diagram {
    constructor(d, names, map) {
      Object.assign(this, {d, names, map});
    }

    // named: whether the lines themselves have to say whose they are
    draw(u, named) {
      const dpr = devicePixelRatio, {ctx} = u, last = this.names.length - 1;
      this.ctx = ctx;
      this.left = u.bbox.left;
      this.width = u.bbox.width;
      this.x = t => u.valToPos(this.map.x(t), 'x', true);
      this.y = i => u.valToPos(last - i, 'y', true);
      this.top = this.y(0) - 6 * dpr;
      this.foot = this.y(last) + 6 * dpr;
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left - 6 * dpr, 0, u.bbox.width + 12 * dpr, ctx.canvas.height);
      ctx.clip();
      this.drawExchanges();
      this.drawLines();
      this.drawStones();
      for (const death of deaths(this.d)) this.drawDeath(death);
      if (named && this.names.length <= 16) this.drawNames();
      ctx.restore();
    }

    stroke(color, width, dash, path) {
      const {ctx} = this, dpr = devicePixelRatio;
      ctx.strokeStyle = color;
      ctx.lineWidth = width * dpr;
      ctx.setLineDash(dash.map(each => each * dpr));
      ctx.beginPath();
      path((x1, y1, x2, y2) => {
        ctx.moveTo(x1, y1);
        ctx.lineTo(x2, y2);
      });
      ctx.stroke();
      ctx.setLineDash([]);
    }

    drawNames() {
      const {ctx} = this, dpr = devicePixelRatio;
      ctx.font = 11 * dpr + 'px Inter, system-ui, "DejaVu Sans", sans-serif';
      ctx.fillStyle = css('--soft');
      ctx.textAlign = 'left';
      ctx.textBaseline = 'bottom';
      this.names.forEach((name, i) => ctx.fillText(name, this.left, this.y(i) - 2 * dpr));
    }

    drawLines() {
      this.names.forEach((name, i) => {
        const color = paint(worker(i).color);
        for (const [from, to] of lifetimes(this.d, name)) this.stroke(color, 1.5, worker(i).dash, line => line(this.x(from), this.y(i), this.x(to), this.y(i)));
      });
    }

    // With one server that updates for each worker alone, nobody keeps whose gradient it was.
    drawExchanges() {
      const {ctx} = this, alone = this.d.settings.mode === 'ps-async', to = alone ? 0 : this.names.length - 1, dpr = devicePixelRatio;
      const times = exchanges(this.d, this.x, this.left, this.left + this.width);
      this.stroke(css('--soft'), 0.7, [], line => times.forEach(t => line(this.x(t), this.y(0), this.x(t), this.y(to))));
      ctx.fillStyle = css('--soft');
      for (const t of times) {
        for (let i = 0; i <= to; i++) {
          ctx.beginPath();
          ctx.arc(this.x(t), this.y(i), 1.8 * dpr, 0, 7);
          ctx.fill();
        }
      }
    }

    // A checkpoint is one state of all processes: a stone on each line. Of those that are near each other, one is drawn.
    drawStones() {
      const {saves} = this.d.lanes, {ctx} = this, dpr = devicePixelRatio;
      let free = -Infinity;
      ctx.fillStyle = css('--base');
      saves.t.forEach((t, n) => {
        const x = this.x(t);
        if (saves.kind[n] === 'merged' || x < free) return;
        free = x + NEAR * dpr;
        this.stroke(css('--line'), 1, [], line => line(x, this.y(0), x, this.y(this.names.length - 1)));
        this.names.forEach((_, i) => ctx.fillRect(x - 2 * dpr, this.y(i) - 3 * dpr, 4 * dpr, 6 * dpr));
      });
    }

    drawDeath(f) {
      const dpr = devicePixelRatio, arm = 4 * dpr, fx = this.x(f.from), tx = this.x(f.to), line = f.line == null ? fx : this.x(f.line);
      if (line < fx - dpr) this.drawLost(line, fx);
      if (!f.open) this.stroke(css('--accent'), 1.6, [4, 3], draw => draw(line, this.top, line, this.foot));
      this.names.forEach((name, i) => {
        if (!f.whole && name !== f.who) return;
        const y = this.y(i);
        this.stroke(css('--bad'), 2, [], draw => {
          draw(fx - arm, y - arm, fx + arm, y + arm);
          draw(fx + arm, y - arm, fx - arm, y + arm);
        });
      });
      if (f.kind === 'replaced' && f.reason === 'peer') this.drawTransfer(Math.max(0, this.names.indexOf(f.who)), tx, arm);
    }

    // Work that all made again.
    drawLost(from, to) {
      const {ctx} = this, dpr = devicePixelRatio;
      ctx.save();
      ctx.beginPath();
      ctx.rect(from, this.top, to - from, this.foot - this.top);
      ctx.clip();
      this.stroke(css('--bad'), 0.6, [], line => {
        for (let x = from - (this.foot - this.top); x < to; x += 6 * dpr) line(x, this.foot, x + this.foot - this.top, this.top);
      });
      ctx.restore();
    }

    drawTransfer(i, x, arm) {
      const donor = i === 0 ? 1 : i - 1, toward = donor < i ? -1 : 1, tip = this.y(i) + toward * 4 * devicePixelRatio;
      this.stroke(css('--ink'), 1.4, [], line => {
        line(x, this.y(donor), x, tip);
        line(x, tip, x - arm, tip + toward * arm);
        line(x, tip, x + arm, tip + toward * arm);
      });
    }
  }

  // What the marks mean: below the lane.
  function legend(d) {
    const key = (name, text) => el('span', {class: 'key'}, el('i', {class: 'mark ' + name, 'aria-hidden': 'true'}), text);
    const found = deaths(d), messages = d.settings.mode === 'ps-async' ? 'update' : 'exchange';
    return el('div', {class: 'marks'}, key('save', 'checkpoint of all'), key('exchange', messages + ', if zoomed in'),
        found.length > 0 && [key('death', 'death'), key('line', 'recovery line'), found.some(f => f.reason === 'peer') && key('state', 'state from another worker'),
          found.some(f => f.stepsLost > 0) && key('lost', 'made again')]);
  }

  Object.assign(Cairn, {spaceTime: {processes, Diagram, legend, lifetimes, exchanges}});
})();
