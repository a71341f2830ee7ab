// The pages of the dashboard: which one the address names, what it asks the server for, and when it asks again.
'use strict';
(() => {
  const {el, svg, fill, count, many, bytes, seconds, percent, ratio, score, plain, when, ago, logo, state, stone, style, worker, css, paint} = Cairn;
  const main = document.querySelector('main'), header = document.querySelector('header');
  const SLOWEST = 1000;

  async function get(path) {
    const answer = await fetch(path, {credentials: 'same-origin'});
    if (!answer.ok) throw new Error(await answer.text() || 'the server answered ' + answer.status);
    return answer.json();
  }

  // ---- the bar at the top
  const live = el('span', {}, el('i', {class: 'dot'}), 'connecting');
  function setLive(how) {
    fill(live, el('i', {class: 'dot ' + (how === 'live' ? 'live' : how === 'disconnected' ? 'lost' : '')}), how);
  }

  function bar(crumbs, ...links) {
    fill(header, logo(), el('a', {href: '#/'}, el('b', {}, 'Cairn')), el('span', {class: 'crumbs'}, crumbs),
        el('span', {class: 'right'}, live, links, el('a', {href: '#/places', class: 'hide'}, 'Places'), el('button', {'aria-label': 'keys', onclick: help}, '?')));
  }

  function help() {
    const dialog = el('dialog', {class: 'card'}, el('h2', {}, 'Keys'), el('table', {}, el('tbody', {}, [
      ['g', 'list of runs'], ['p', 'places'], ['c', 'compare the marked runs'], ['j k', 'next and previous row'], ['Enter', 'open the row'], ['x', 'mark the row'],
      ['+ −', 'zoom in and out'], ['← →', 'move a zoomed chart'], ['0', 'show all'], ['Esc', 'close'],
    ].map(([key, what]) => el('tr', {}, el('td', {}, key), el('td', {class: 't'}, what))))), el('form', {method: 'dialog'}, el('button', {}, 'Close')));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  // A page asks again when the server says that something is new, but not more often than once a second.
  let page = null;
  function watch(path, load) {
    const mine = {};
    let source = null, waiting = false, running = false, again = false, last = 0;
    const refresh = async () => {
      if (page !== mine) return;
      if (running) {
        again = true;
        return;
      }
      const pause = last + SLOWEST - Date.now();
      if (pause > 0) {
        if (!waiting) {
          waiting = true;
          setTimeout(() => {
            waiting = false;
            refresh();
          }, pause);
        }
        return;
      }
      running = true;
      last = Date.now();
      try {
        await load();
        mine.failed = false;
      } catch (e) {
        if (page === mine && !mine.failed) trouble(e.message);
        mine.failed = true;
      }
      running = false;
      if (again) {
        again = false;
        refresh();
      }
    };
    mine.refresh = () => {
      last = 0;
      refresh();
    };
    mine.close = () => source && source.close();
    page = mine;
    source = new EventSource(path);
    source.onmessage = () => {
      setLive('live');
      refresh();
    };
    source.onerror = () => setLive('disconnected');
    source.onopen = () => setLive('live');
    refresh();
    return mine;
  }

  function trouble(message) {
    fill(main, el('section', {class: 'card'}, el('h2', {}, 'This cannot be shown'), el('p', {}, message), el('p', {class: 'soft'}, 'The dashboard tries again by itself. If it was stopped, start it again: '), command('cairn dashboard')));
  }

  // ---- commands to copy
  const quote = text => /^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
  function command(text, what) {
    const code = el('code', {tabindex: 0}, text);
    const button = el('button', {onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch (refused) {
        const range = document.createRange();
        range.selectNodeContents(code);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        button.textContent = 'Selected';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    }}, 'Copy');
    return el('div', {}, what && el('small', {class: 'soft'}, what), el('div', {class: 'command'}, code, button));
  }

  function spark(points, wide, high) {
    const node = svg('svg', {viewBox: '0 0 ' + wide + ' ' + high, width: wide, height: high, 'aria-hidden': 'true'});
    if (points.length > 1) {
      const xs = points.map(p => p[0]), ys = points.map(p => p[1]);
      const x0 = Math.min(...xs), x1 = Math.max(...xs), y0 = Math.min(...ys), y1 = Math.max(...ys);
      node.append(svg('polyline', {fill: 'none', stroke: 'var(--w0)', 'stroke-width': 1.3, 'stroke-linejoin': 'round',
        points: points.map(([x, y]) => ((x - x0) / (x1 - x0 || 1) * (wide - 2) + 1).toFixed(1) + ',' + (high - 2 - (y - y0) / (y1 - y0 || 1) * (high - 4)).toFixed(1)).join(' ')}));
    }
    return node;
  }

  // Space over time: each change is a step.
  function hill(points, wide, high) {
    const node = svg('svg', {viewBox: '0 0 ' + wide + ' ' + high, width: '100%', role: 'img', 'aria-label': 'space over time'});
    style(node, {'max-width': wide + 'px'});
    if (points.length > 0) {
      const x0 = points[0][0], x1 = points[points.length - 1][0], most = Math.max(1, ...points.map(p => p[1]));
      const x = t => x1 > x0 ? ((t - x0) / (x1 - x0) * wide).toFixed(1) : wide, y = v => (high - 1 - v / most * (high - 4)).toFixed(1);
      let path = 'M0 ' + high, last = high;
      for (const [t, v] of points) {
        path += 'L' + x(t) + ' ' + last + 'L' + x(t) + ' ' + y(v);
        last = y(v);
      }
      node.append(svg('path', {d: path + 'L' + wide + ' ' + last + 'L' + wide + ' ' + high + 'Z', fill: 'var(--pick)', stroke: 'var(--accent)', 'stroke-width': 1.2}), svg('title', {}, 'at most ' + bytes(most)));
    }
    return node;
  }

  // ---- the list of runs
  const marked = new Set();
  function runsPage() {
    bar(el('b', {}, 'runs'), el('a', {href: '#/compare/'}, 'Compare'));
    const list = el('section', {class: 'card'});
    fill(main, el('div', {class: 'top'}, el('h1', {}, 'Runs'), el('span', {class: 'soft', id: 'sum'})), list);
    watch('/api/live', async () => {
      const {runs} = await get('/api/runs');
      if (!list.isConnected) fill(main, list);
      const order = runs.slice().sort((a, b) => (b.state === 'training') - (a.state === 'training') || b.last - a.last);
      const sum = document.getElementById('sum');
      if (sum) sum.textContent = many(runs.length, 'run') + ' · ' + count(runs.filter(each => each.state === 'training').length) + ' training';
      const focus = document.activeElement && document.activeElement.closest && document.activeElement.closest('tr');
      const focused = focus && focus.dataset.id, tag = document.activeElement && document.activeElement.tagName;
      fill(list, order.length === 0 ? el('div', {class: 'quiet'}, 'No run is here yet. This begins one:', command('cairn train lenet --run runs/first')) : runsTable(order));
      if (focused) {
        const row = list.querySelector('tr[data-id="' + focused + '"]');
        if (row) (row.querySelector(tag === 'INPUT' ? 'input' : 'a') || row).focus();
      }
    });
  }

  function runsTable(runs) {
    return el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, el('span', {class: 'hide'}, 'mark')), el('th', {class: 't'}, 'run'), el('th', {class: 't'}, 'state'),
        el('th', {class: 't hide'}, 'loss'), el('th', {}, 'step'), el('th', {class: 'hide'}, 'progress'), el('th', {class: 'hide'}, 'left'), el('th', {}, el('span', {class: 'hide'}, 'last checkpoint'), el('span', {class: 'only-narrow'}, 'saved')), el('th', {class: 'hide'}, 'failures'))),
    el('tbody', {}, runs.map(run => {
      const box = el('input', {type: 'checkbox', 'aria-label': 'compare ' + run.name, onchange: () => box.checked ? marked.add(run.id) : marked.delete(run.id), onclick: event => event.stopPropagation()});
      box.checked = marked.has(run.id);
      const share = run.steps > 0 ? Math.min(1, run.step / run.steps) : 0;
      return el('tr', {class: 'go', 'data-id': run.id, onclick: () => { location.hash = '#/run/' + run.id; }},
          el('td', {}, box), el('td', {class: 't name'}, el('a', {href: '#/run/' + run.id, title: run.place}, run.name), run.workload && el('span', {class: 'soft hide'}, ' ' + run.workload)),
          el('td', {class: 't'}, run.trouble ? el('span', {class: 'pill bad', title: run.trouble}, 'unreadable') : run.read ? state(run.state) : el('span', {class: 'pill'}, 'reading')),
          el('td', {class: 't hide'}, spark(run.spark, 90, 22)), el('td', {}, count(run.step)),
          el('td', {class: 'hide'}, run.steps > 0 && style(el('div', {class: 'progress'}, style(el('i'), {width: (100 * share).toFixed(1) + '%'})), {width: '90px', display: 'inline-block'})),
          el('td', {class: 'hide'}, run.remainingSeconds == null ? '–' : seconds(run.remainingSeconds)),
          el('td', {}, run.lastSave ? ago(Math.max(0, run.now - run.lastSave)) : 'none'), el('td', {class: 'hide' + (run.failures > 0 ? ' bad' : '')}, count(run.failures)));
    }))));
  }

  // ---- one run
  function runPage(id) {
    let shown = null, window_ = null, saves = -1, rows = 50, table = null, place = '';
    const link = row => '#/run/' + id + '/checkpoint/' + row.number;
    const ask = () => '/api/runs/' + id + '?columns=' + Math.round(Math.min(2000, (shown && shown.box.clientWidth) || 900)) + (window_ ? '&from=' + window_[0] + '&to=' + window_[1] : '');
    bar([el('a', {href: '#/'}, 'runs'), ' / …']);
    fill(main, el('p', {class: 'quiet'}, 'Loading …'));
    const mine = watch('/api/runs/' + id + '/live', async () => {
      const d = await get(ask());
      if (page !== mine) return;
      if (d.trouble) throw new Error(d.trouble);
      if (shown === null || !shown.box.isConnected) {
        shown = new Cairn.RunPage(main, {
          checkpointLink: link,
          onZoom: range => {
            window_ = range;
            clearTimeout(mine.zooming);
            mine.zooming = setTimeout(mine.refresh, 150);
          },
          more: c => c.count > c.rows.length && el('button', {onclick: () => {
            rows += 200;
            saves = -1;
            mine.refresh();
          }}, 'Show more of ' + count(c.count)),
        });
        mine.chart = shown.chart;
        saves = -1;
      }
      if (place !== d.place) {
        place = d.place;
        document.title = d.name + ' · Cairn';
        bar([el('a', {href: '#/'}, 'runs'), ' / ', el('b', {}, d.name)], el('a', {href: '#/compare/' + id, class: 'hide'}, 'Compare'), el('a', {href: '/api/runs/' + id + '/report', class: 'hide', download: d.name + '.html'}, 'Report'));
        fill(shown.places.foot, el('section', {class: 'card'}, el('h2', {}, 'Commands', el('span', {}, 'the dashboard only reads; this is what to type')),
            command('cairn verify ' + quote(d.place), 'check every byte'), command('cairn merge ' + quote(d.place), 'shorten chains, when no training runs'),
            command('cairn prune ' + quote(d.place) + ' --dry-run', 'what retention would remove')));
      }
      shown.show(d, table);
      if (d.filesRead < d.files) shown.places.keys.append(el('span', {class: 'key'}, 'reading ' + d.filesRead + ' of ' + d.files + ' files'));
      if (saves !== d.facts.saves) {
        saves = d.facts.saves;
        const c = await get('/api/runs/' + id + '/checkpoints?count=' + rows);
        if (page !== mine) return;
        table = c;
        shown.show(d, c);
      }
    });
    mine.destroy = () => shown && shown.destroy();
  }

  // ---- one checkpoint
  function checkpointPage(id, number) {
    bar([el('a', {href: '#/'}, 'runs'), ' / …']);
    fill(main, el('p', {class: 'quiet'}, 'Loading …'));
    let shown = false;
    const mine = watch('/api/runs/' + id + '/live', async () => {
      if (shown) return; // a checkpoint does not change
      const c = await get('/api/runs/' + id + '/checkpoints/' + number);
      if (page !== mine) return;
      shown = true;
      document.title = c.run + ' step ' + c.step + ' · Cairn';
      bar([el('a', {href: '#/'}, 'runs'), ' / ', el('a', {href: '#/run/' + id}, c.run), ' / ', el('b', {}, 'step ' + count(c.step))]);
      const fact = (name, value, below) => el('div', {}, el('small', {}, name), el('b', {}, value), ' ', el('em', {}, below || ''));
      const at = quote(c.place) + '@' + c.step;
      fill(main,
          el('div', {class: 'top'}, el('h1', {}, 'Step ' + count(c.step)), el('span', {class: 'pill'}, c.kind), el('span', {class: 'soft'}, 'of ' + c.run + ' · saved ' + when(c.t, 0))),
          el('section', {class: 'facts'}, fact('size', bytes(c.bytes), 'of ' + bytes(c.fullBytes) + ', ' + ratio(c.fullBytes, c.bytes)), fact('codec', c.codec, c.errorOfState == null ? 'exact' : 'error ' + percent(c.errorOfState)),
              fact('restore reads', c.restore.problem ? '–' : bytes(c.restore.bytes), c.restore.problem ? 'chain broken' : many(c.restore.files, 'file')),
              fact('waited', seconds(c.stallSeconds), 'by the training'), fact('durable in', seconds(c.saveSeconds), ''),
              fact('score', c.accuracy != null ? percent(c.accuracy) : c.rmse != null ? plain(c.rmse) : '–', c.loss != null ? 'loss ' + plain(c.loss) : '')),
          el('section', {class: 'card main-column'}, el('h2', {}, 'Tensors', el('span', {}, many(c.tensorCount, 'tensor') + ' · area is size in memory, colour how much of it is stored')), treemap(c.tensors)),
          el('aside', {class: 'side'}, el('section', {class: 'card'}, el('h2', {}, 'Chain'), Cairn.runChain(c.restore, each => '#/run/' + id + '/checkpoint/' + each.number)),
              el('section', {class: 'card'}, el('h2', {}, 'Why it is here'), el('p', {class: 'soft'}, !c.keep ? 'No record says what the run keeps.' : c.leaves ? 'No longer selected by ' + c.keep + ': one of the next saves removes it.'
                  : c.parentOnly ? 'Only because others are built on it; ' + c.keep + ' does not select it.' : 'Selected by ' + c.keep + '.'))),
          el('section', {class: 'card'}, el('h2', {}, 'By tensor'), tensorTable(c)),
          el('section', {class: 'card'}, el('h2', {}, 'Commands'), command('cairn show ' + at), command('cairn export ' + at + ' model.safetensors'), command('cairn eval ' + at)),
          el('section', {class: 'card'}, el('h2', {}, 'Record', el('span', {}, 'id ' + c.id + ' · ' + c.files.join(', '))), attributes(c.attributes)));
    });
  }

  const attributes = all => el('dl', {class: 'settings wide'}, Object.entries(all).map(([name, value]) => el('div', {}, el('dt', {}, name),
      el('dd', {}, typeof value === 'object' ? JSON.stringify(value).slice(0, 200) : typeof value === 'number' ? plain(value) : String(value)))));

  function tensorTable(c) {
    return el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'name'), el('th', {class: 't hide'}, 'role'), el('th', {class: 't hide'}, 'type'), el('th', {class: 't hide'}, 'shape'), el('th', {}, 'stored'), el('th', {}, 'in memory'), el('th', {class: 'hide'}, 'ratio'),
        el('th', {class: 't hide'}, 'codec'), el('th', {}, 'error'))),
    el('tbody', {}, c.tensors.map(each => el('tr', {}, el('td', {class: 'name'}, each.name, each.sameAs && el('span', {class: 'soft'}, ' same as ' + each.sameAs)), el('td', {class: 't hide'}, each.role), el('td', {class: 't hide'}, each.dtype), el('td', {class: 't hide'}, each.shape.join('×') || 'scalar'),
        el('td', {}, bytes(each.bytes)), el('td', {}, bytes(each.fullBytes)), el('td', {class: 'hide'}, ratio(each.fullBytes, each.bytes)), el('td', {class: 't hide'}, each.codec),
        el('td', {}, each.dropped ? 'dropped' : each.relativeError == null ? '?' : each.relativeError === 0 ? 'exact' : percent(each.relativeError)))))),
    c.tensorCount > c.tensors.length && el('p', {class: 'foot'}, 'The largest ' + count(c.tensors.length) + ' of ' + count(c.tensorCount) + '.'));
  }

  // Rectangles whose areas are the sizes in memory: rows filled as squarely as they can be.
  function treemap(tensors) {
    const wide = 900, high = 260;
    const node = svg('svg', {viewBox: '0 0 ' + wide + ' ' + high, width: '100%', role: 'img', 'aria-label': 'tensors by size'});
    const all = tensors.filter(each => each.fullBytes > 0).slice(0, 200);
    const sum = all.reduce((total, each) => total + each.fullBytes, 0);
    let x = 0, y = 0, w = wide, h = high, rest = sum, i = 0;
    while (i < all.length && w > 0.5 && h > 0.5) {
      const short = Math.min(w, h), unit = w * h / rest;
      let row = [], worst = Infinity, area = 0;
      for (let j = i; j < all.length; j++) {
        const next = area + all[j].fullBytes * unit, sizes = [...row, all[j]].map(each => each.fullBytes * unit);
        const now = Math.max(short * short * Math.max(...sizes) / (next * next), next * next / (short * short * Math.min(...sizes)));
        if (now > worst) break;
        worst = now;
        area = next;
        row = [...row, all[j]];
      }
      const thick = area / short;
      let along = 0;
      for (const each of row) {
        const length = each.fullBytes * unit / thick;
        const [rx, ry, rw, rh] = w >= h ? [x, y + along, thick, length] : [x + along, y, length, thick];
        const stored = Math.min(1, each.bytes / each.fullBytes);
        const cell = svg('g', {}, svg('rect', {x: rx + 1, y: ry + 1, width: Math.max(0, rw - 2), height: Math.max(0, rh - 2), rx: 4, fill: 'var(--accent)', 'fill-opacity': (0.12 + 0.75 * stored).toFixed(2)}),
            svg('title', {}, each.name + ': ' + bytes(each.bytes) + ' of ' + bytes(each.fullBytes)));
        if (rw > 70 && rh > 18) {
          const most = Math.floor(rw / 7);
          cell.append(svg('text', {x: rx + 8, y: ry + 16, 'font-size': 11, fill: stored > 0.6 ? 'var(--card)' : 'var(--ink)'}, each.name.length > most ? each.name.slice(0, most - 1) + '…' : each.name));
        }
        node.append(cell);
        along += length;
        rest -= each.fullBytes;
      }
      if (w >= h) {
        x += thick;
        w -= thick;
      } else {
        y += thick;
        h -= thick;
      }
      i += row.length;
    }
    return node;
  }

  // ---- several runs over each other
  class Comparison extends Cairn.Chart {
    draw() {
      this.clear();
      this.width = this.box.clientWidth || 900;
      this.narrow = this.width < 500;
      this.curves = [];
      this.bands = [];
      const byStep = this.options.by() === 'step';
      this.map = {x: t => t, t: x => x, cuts: []};
      const runs = this.document.runs;
      const place = (run, curve, i) => byStep ? curve.s[i] : curve.t[i] - run.begin;
      const of = (run, curves) => {
        const made = {x: [], y: [], s: []};
        for (const curve of curves) {
          for (let i = 0; i < curve.t.length; i++) {
            const x = place(run, curve, i), last = made.x.length - 1;
            if (x == null || (last >= 0 && x <= made.x[last])) continue;
            made.x.push(x);
            made.y.push(curve.v[i]);
            made.s.push(curve.s[i]);
          }
        }
        return made;
      };
      const losses = runs.map(run => of(run, run.lanes.loss.length > 0 ? run.lanes.loss[0].stretches.filter(each => !each.lost) : []));
      const scores = runs.map(run => of(run, [run.lanes.scores]));
      const all = [...losses, ...scores].flatMap(each => each.x.length > 0 ? [each.x[each.x.length - 1]] : []);
      this.document.begin = 0;
      this.document.end = Math.max(byStep ? 1 : 0.001, ...all);
      const look = i => ({stroke: paint(worker(i).color), dash: worker(i).dash, width: 1.5, points: {show: false}});
      this.curves = losses.map((curve, i) => Object.assign({name: runs[i].name}, curve));
      const measure = runs.map(run => run.lanes.scores.measure).find(Boolean) || 'score';
      const padded = (u, min, max) => min == null ? [0, 1] : [min - 0.05 * (max - min || 1), max + 0.05 * (max - min || 1)];
      const table = curves => uPlot.join(curves.map(each => [each.x, each.y]));
      this.lane('loss', 'train', 240, runs.length ? table(losses) : [[]], runs.map((_, i) => look(i)), {axis: {values: (u, v) => v.map(plain)}, scale: {range: Cairn.calm}});
      if (scores.some(each => each.x.length > 0)) {
        this.lane(measure, 'test', 140, table(scores), runs.map((_, i) => look(i)), {axis: {values: (u, v) => v.map(measure === 'accuracy' ? percent : plain)}, scale: {range: padded}});
      }
      this.lane('', '', 34, [this.range(), [null, null]], [{points: {show: false}}], {points: false, times: true, scale: {range: () => [0, 1]}, axis: {values: () => [], grid: {show: false}},
        x: {grid: {show: false}, values: (u, v) => v.map(byStep ? count : seconds)}});
    }
  }

  function comparePage(ids) {
    ids.forEach(id => marked.add(id));
    const chosen = [...marked];
    bar([el('a', {href: '#/'}, 'runs'), ' / ', el('b', {}, 'compare')]);
    let by = 'step';
    const box = el('div', {role: 'img', 'aria-label': 'curves of several runs'}), keys = el('span'), table = el('div');
    const pick = el('div', {class: 'scroll'});
    const choose = el('select', {'aria-label': 'align by', onchange: () => {
      by = choose.value;
      chart.zoomed = null;
      chart.draw();
    }}, el('option', {value: 'step'}, 'by step'), el('option', {value: 'time'}, 'by time since the start'));
    const readout = el('span', {class: 'end hide'});
    const chart = new Comparison(box, {by: () => by, readout: at => {
      readout.textContent = at === null || at.found.length === 0 ? '' : (by === 'step' ? 'step ' + count(Math.round(at.t)) : seconds(at.t)) + ' · ' + at.found.map(each => each.name + ' ' + plain(each.value)).join(' · ');
    }});
    fill(main, el('div', {class: 'top'}, el('h1', {}, 'Compare'), choose), el('section', {class: 'card lanes'}, el('h2', {}, keys, readout), box), el('section', {class: 'card'}, table), el('section', {class: 'card'}, el('h2', {}, 'Runs'), pick));
    const mine = watch('/api/live', async () => {
      const known = (await get('/api/runs')).runs;
      const here = chosen.filter(id => known.some(each => each.id === id)).slice(0, 12);
      const runs = await Promise.all(here.map(id => get('/api/runs/' + id + '?columns=1200')));
      if (page !== mine) return;
      fill(pick, known.map(run => {
        const tick = el('input', {type: 'checkbox', onchange: () => {
          tick.checked ? marked.add(run.id) : marked.delete(run.id);
          location.hash = '#/compare/' + [...marked].join(',');
        }});
        tick.checked = here.includes(run.id);
        return style(el('label', {class: 'key'}, tick, run.name), {'margin-bottom': '6px'});
      }));
      fill(keys, runs.length === 0 ? 'Mark runs below to compare them.' : runs.map((run, i) => el('span', {class: 'key'}, style(el('i'), {background: worker(i).color}), run.name)));
      chart.show({runs, lanes: {gaps: [], failures: []}, begin: 0, end: 1});
      fill(table, runs.length > 0 && comparison(runs));
    });
    mine.chart = chart;
    mine.destroy = () => chart.destroy();
  }

  function comparison(runs) {
    const last = list => list.filter(each => each != null).pop();
    const rows = [
      ['state', run => state(run.state)], ['step', run => count(run.step) + (run.steps > 0 ? ' of ' + count(run.steps) : '')],
      ['loss', run => plain(last(run.lanes.loss.flatMap(each => each.stretches.filter(stretch => !stretch.lost).flatMap(stretch => stretch.v))))],
      ['score', run => score(run.lanes.scores.measure, last(run.lanes.scores.v))], ['a step takes', run => seconds(run.facts.secondsPerStep)], ['trained for', run => seconds(run.facts.trainedSeconds)],
      ['checkpoints made', run => count(run.facts.saves)], ['written', run => bytes(run.facts.writtenBytes)], ['smaller by', run => ratio(run.facts.fullBytes, run.facts.writtenBytes)],
      ['waited for saves', run => seconds(run.facts.stallSeconds)], ['failures', run => count(run.facts.failures)], ['steps lost', run => count(run.facts.stepsLost)],
    ];
    const names = [...new Set(runs.flatMap(run => Object.keys(run.settings)))].filter(name => new Set(runs.map(run => String(run.settings[name]))).size > 1);
    return el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th'), runs.map(run => el('th', {}, el('a', {href: '#/run/' + run.id}, run.name))))),
        el('tbody', {}, [...rows, ...names.map(name => [name, run => run.settings[name] == null ? '–' : String(run.settings[name])])].map(([name, value]) => el('tr', {}, el('td', {class: 'soft'}, name), runs.map(run => el('td', {}, value(run))))))));
  }

  // ---- places
  function placesPage() {
    bar(el('b', {}, 'places'));
    const list = el('div');
    fill(main, el('div', {class: 'top'}, el('h1', {}, 'Places'), el('span', {class: 'soft', id: 'sum'})), list);
    watch('/api/live', async () => {
      const {runs} = await get('/api/places');
      if (!list.isConnected) fill(main, list);
      const sum = document.getElementById('sum'), free = runs.map(each => each.usableBytes).filter(each => each != null && each < 1e17);
      if (sum) sum.textContent = bytes(runs.reduce((total, each) => total + (each.storedBytes || 0), 0)) + ' in ' + many(runs.length, 'run') + (free.length > 0 ? ' · ' + bytes(Math.min(...free)) + ' free' : '')
          + ' · ' + bytes(runs.reduce((total, each) => total + (each.removedBytes || 0), 0)) + ' go in the next rounds';
      const open = new Set([...list.querySelectorAll('details[open]')].map(each => each.dataset.id));
      style(list, {display: 'grid', gap: '14px'});
      fill(list, runs.slice().sort((a, b) => (b.storedBytes || 0) - (a.storedBytes || 0)).map(run => placeCard(run, open)));
      if (runs.length === 0) fill(list, el('section', {class: 'card quiet'}, 'No run is here yet.'));
    });
  }

  function placeCard(run, open) {
    const space = run.space.t.map((t, i) => [t, run.space.v[i]]).filter(each => each[1] != null);
    return el('section', {class: 'card'}, el('h2', {}, el('a', {href: '#/run/' + run.id}, run.name), state(run.state), el('span', {}, run.place)),
        run.trouble ? el('p', {class: 'bad'}, run.trouble) : [
          el('div', {class: 'top middle'}, hill(space, 320, 48), el('span', {}, el('b', {}, bytes(run.storedBytes)), el('span', {class: 'soft'}, ' in ' + many(run.checkpoints, 'checkpoint'))), el('span', {class: 'soft'}, run.keep ? 'keeps ' + run.keep : 'no record says what to keep')),
          run.removedCount > 0 ? (() => {
            const details = el('details', {'data-id': run.id}, el('summary', {}, many(run.removedCount, 'checkpoint') + ', ' + bytes(run.removedBytes) + ', no longer selected: one of the next saves removes them'),
                el('p', {class: 'soft'}, 'steps ' + run.removed.map(each => count(each.step)).join(', ') + (run.removedCount > run.removed.length ? ', …' : '')));
            if (open.has(run.id)) details.open = true;
            return details;
          })() : el('p', {class: 'soft'}, 'Retention removes nothing now' + (run.neededCount > 0 ? '; ' + many(run.neededCount, 'checkpoint') + ' stay only as parents.' : '.')),
          run.state !== 'training' && run.removedCount > 0 && command('cairn prune ' + quote(run.place) + ' --keep ' + quote(run.keep), 'to remove them now')]);
  }

  // ---- which page
  function open() {
    if (page) {
      page.close();
      if (page.destroy) page.destroy();
      page = null;
    }
    setLive('connecting');
    document.title = 'Cairn';
    const [, name, id, what, number] = location.hash.split('/');
    if (name === 'run' && /^[0-9a-f]+$/.test(id || '') && what === 'checkpoint' && /^\d+$/.test(number || '')) checkpointPage(id, number);
    else if (name === 'run' && /^[0-9a-f]+$/.test(id || '')) runPage(id);
    else if (name === 'compare') comparePage((id || '').split(',').filter(each => /^[0-9a-f]+$/.test(each)));
    else if (name === 'places') placesPage();
    else runsPage();
    scrollTo(0, 0);
  }

  addEventListener('hashchange', open);
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.key !== 'x' && event.key !== 'j' && event.key !== 'k') return;
    if (document.querySelector('dialog[open]')) return;
    if (page && page.chart && Cairn.keyboard(event, page.chart)) return;
    const rows = [...document.querySelectorAll('tr.go')], row = document.activeElement && document.activeElement.closest && document.activeElement.closest('tr.go');
    const focus = each => each && (each.querySelector('a') || each).focus();
    const act = {
      g: () => { location.hash = '#/'; }, p: () => { location.hash = '#/places'; }, c: () => { location.hash = '#/compare/' + [...marked].join(','); }, '?': help,
      j: () => focus(rows[Math.min(rows.length - 1, rows.indexOf(row) + 1)]), k: () => focus(rows[Math.max(0, rows.indexOf(row) - 1)]),
      x: () => row && row.querySelector('input') && row.querySelector('input').click(),
    }[event.key];
    if (act) act();
  });
  open();
})();
