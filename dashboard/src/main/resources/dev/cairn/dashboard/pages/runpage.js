// The page of one run, in the dashboard and in a report.
'use strict';
(() => {
  const {el, fill, count, many, bytes, seconds, percent, ratio, score, plain, when, second, ago, worker, stone, state, sentence} = Cairn;
  const style = (node, values) => {
    for (const [name, value] of Object.entries(values)) node.style.setProperty(name, value);
    return node;
  };

  function head(d) {
    const s = d.settings;
    const words = [d.state === 'training' && d.remainingSeconds != null && seconds(d.remainingSeconds) + ' left',
      s.workers > 1 && many(s.workers, 'worker'), s.workload, s.engine, s.data].filter(Boolean).join(' · ');
    return el('div', {class: 'top'}, el('h1', {}, d.name), state(d.state),
        d.steps > 0 && el('span', {}, 'step ', el('b', {}, count(d.step)), ' of ' + count(d.steps)), el('span', {class: 'soft'}, words));
  }

  function progress(d) {
    const share = d.steps > 0 ? Math.min(1, d.step / d.steps) : 0;
    return el('div', {class: 'progress', role: 'progressbar', 'aria-label': 'progress', 'aria-valuenow': Math.round(100 * share), 'aria-valuemin': 0, 'aria-valuemax': 100},
        style(el('i'), {width: (100 * share).toFixed(1) + '%'}));
  }

  function facts(d, checkpoints) {
    const f = d.facts, live = d.state === 'training', now = live ? d.now : d.end;
    const fact = (name, value, below) => el('div', {}, el('small', {}, name), el('b', {}, value), ' ', el('em', {}, below || ''));
    const every = f.interval;
    const stored = checkpoints ? [bytes(checkpoints.storedBytes), 'of ' + bytes(checkpoints.fullBytes) + ', ' + ratio(checkpoints.fullBytes, checkpoints.storedBytes)] : ['–', ''];
    return el('section', {class: 'facts'},
        fact('last checkpoint', f.lastSave ? (live ? ago(now - f.lastSave.t) : when(f.lastSave.t, now)) : 'none', f.lastSave ? 'step ' + count(f.lastSave.step) : 'nothing is saved yet'),
        fact(live ? 'at risk now' : 'not saved', f.riskSteps == null ? (d.step > 0 ? many(d.step, 'step') : '–') : many(f.riskSteps, 'step'), f.riskSteps > 0 && f.riskSeconds != null ? seconds(f.riskSeconds) + ' of work' : f.riskSteps === 0 ? 'all work is safe' : ''),
        fact('saves every', every ? seconds(every.seconds) : '–', every ? (every.followed ? 'auto' : 'auto would; the user set another') : 'not known yet'),
        fact('stored', stored[0], stored[1]),
        fact('waited for saves', seconds(f.stallSeconds), f.trainedSeconds > 0 ? percent(f.stallSeconds / f.trainedSeconds) + ' of the run' : ''),
        fact('failures', count(f.failures), f.failures > 0 ? many(f.stepsLost, 'step') + ' lost' : 'none'));
  }

  function keys(d) {
    const list = d.lanes.loss.length > 1 ? d.lanes.loss.map((each, i) => el('span', {class: 'key'}, style(el('i'), {background: worker(i).color}), each.process)) : [];
    if (d.lanes.loss.some(each => each.stretches.some(stretch => stretch.lost))) list.push(el('span', {class: 'key'}, el('i', {class: 'dash'}), 'made again'));
    return list;
  }

  const stones = () => ['base', 'delta', 'merged'].map(kind => el('span', {class: 'key'}, stone(kind), kind));

  function feed(d) {
    if (d.happened.length === 0) return el('p', {class: 'quiet'}, 'Nothing yet.');
    return el('ul', {class: 'feed', tabindex: 0, 'aria-label': 'What happened'}, d.happened.map(e => {
      const [title, below, bad] = sentence(e);
      return el('li', {}, el('time', {title: when(e.t, 0)}, second(e.t).slice(0, 5)), el('div', {class: bad ? 'bad' : ''}, title, below && el('small', {}, below)));
    }));
  }

  // The chain that a restore reads: a stone for each link, the middle of a long one left out.
  function chain(restore, link) {
    if (restore.problem) return el('p', {class: 'bad'}, restore.problem);
    const all = restore.chain, most = Math.max(1, ...all.map(each => each.bytes));
    const shown = all.length <= 7 ? all : [all[0], null, ...all.slice(-5)];
    const nodes = [];
    shown.forEach((each, i) => {
      if (i > 0) nodes.push(el('span', {class: 'arrow', 'aria-hidden': 'true'}, '→'));
      if (each === null) {
        nodes.push(el('span', {class: 'link'}, '… ' + (all.length - 6) + ' more'));
        return;
      }
      const last = each === all[all.length - 1];
      const high = 14 + 34 * Math.log(1 + each.bytes) / Math.log(1 + most);
      nodes.push(el('span', {class: 'link'}, style(el('i', {class: each.kind === 'merged' ? 'merged' : last ? 'now' : each.kind}), {height: high.toFixed(0) + 'px'}),
          link ? el('a', {href: link(each)}, count(each.step)) : count(each.step), el('br'), bytes(each.bytes)));
    });
    return [el('div', {class: 'chain'}, nodes), el('small', {class: 'soft'}, 'reads ' + many(restore.files, 'file') + ', ' + bytes(restore.bytes))];
  }

  function checkpointTable(c, d, link) {
    if (c.rows.length === 0) return el('p', {class: 'quiet'}, 'No checkpoint is stored. ', el('code', {}, 'cairn ls ' + d.place), ' lists them.');
    const measure = c.rows.some(each => each.accuracy != null) ? 'accuracy' : c.rows.some(each => each.rmse != null) ? 'rmse' : 'loss';
    const values = c.rows.map(each => each[measure]).filter(each => each != null);
    const best = values.length === 0 ? null : measure === 'accuracy' ? Math.max(...values) : Math.min(...values);
    return el('div', {class: 'scroll'}, el('table', {},
        el('thead', {}, el('tr', {}, el('th', {}, 'step'), el('th', {class: 'hide'}, 'when'), el('th', {class: 't'}, 'kind'), el('th', {}, 'size'), el('th', {class: 'hide'}, 'ratio'),
            el('th', {}, measure), el('th', {class: 'hide'}, 'waited'), el('th', {class: 'hide'}, 'durable in'), el('th', {class: 't hide'}, 'state'))),
        el('tbody', {}, c.rows.map((each, i) => el('tr', {class: (i === 0 && c.skipped === 0 ? 'sel ' : '') + (link ? 'go' : ''), onclick: link && (() => { location.hash = link(each); })},
            el('td', {}, stone(each.kind), link ? el('a', {href: link(each)}, count(each.step)) : count(each.step)), el('td', {class: 'hide'}, when(each.t, d.end)), el('td', {class: 't'}, each.kind),
            el('td', {}, bytes(each.bytes)), el('td', {class: 'hide'}, ratio(each.fullBytes, each.bytes)), el('td', {}, each[measure] == null ? '–' : score(measure, each[measure]) + (each[measure] === best && values.length > 1 ? ' best' : '')),
            el('td', {class: 'hide'}, seconds(each.stallSeconds)), el('td', {class: 'hide'}, seconds(each.saveSeconds)),
            el('td', {class: 't hide'}, each.leaves ? 'goes in the next round' : each.parentOnly ? 'stays as a parent' : 'kept'))))));
  }

  function settings(d) {
    const entries = Object.entries(d.settings);
    if (entries.length === 0) return el('p', {class: 'quiet'}, 'The run recorded no settings.');
    return el('dl', {class: 'settings'}, entries.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, typeof value === 'number' ? plain(value) === String(value) || !Number.isInteger(value) ? plain(value) : count(value) : String(value)))));
  }

  // Puts the page into a node. Afterwards `show` draws newer documents into the same places.
  class RunPage {
    // options: onZoom, checkpointLink(row), more(c): a node below the table
    constructor(into, options) {
      this.options = options || {};
      this.places = {};
      const place = (name, tag, attributes) => (this.places[name] = el(tag || 'div', attributes));
      this.readout = el('span', {class: 'end hide'}, RunPage.HINT);
      this.box = el('div', {'aria-label': 'curves over time', role: 'img'});
      into.replaceChildren(place('head'), place('progress'), place('facts'),
          el('section', {class: 'card lanes main-column'}, el('h2', {}, 'One time axis', place('keys', 'span'), this.readout), this.box),
          el('aside', {class: 'side'}, el('section', {class: 'card'}, el('h2', {}, 'What happened'), place('feed')), place('restore', 'section', {class: 'card'})),
          el('section', {class: 'card'}, place('tableHead', 'h2'), place('table'), place('more')),
          el('section', {class: 'card'}, el('h2', {}, 'Configuration'), place('settings')), place('foot'));
      this.chart = new Cairn.Chart(this.box, {onZoom: this.options.onZoom, readout: at => this.read(at)});
    }

    read(at) {
      this.readout.textContent = at === null || at.found.length === 0 ? RunPage.HINT : second(at.t) + (at.found[0].step == null ? '' : ' · step ' + count(at.found[0].step)) + ' · '
          + at.found.map(each => each.name + ' ' + (each.measure ? score(each.measure, each.value) : plain(each.value))).join(' · ');
    }

    show(d, c) {
      const p = this.places;
      fill(p.head, head(d));
      fill(p.progress, progress(d));
      fill(p.facts, facts(d, c));
      fill(p.keys, keys(d), stones());
      const feedTop = p.feed.firstChild ? p.feed.firstChild.scrollTop : 0;
      fill(p.feed, feed(d));
      p.feed.firstChild.scrollTop = feedTop;
      fill(p.settings, settings(d));
      this.chart.show(d);
      if (c) this.showCheckpoints(c, d);
    }

    showCheckpoints(c, d) {
      const p = this.places, link = this.options.checkpointLink;
      fill(p.restore, c.restore ? [el('h2', {}, 'Restore from step ' + count(c.restore.step)), chain(c.restore, link)]
          : [el('h2', {}, 'Restore'), el('p', {class: 'quiet'}, 'Nothing to restore: no checkpoint is stored.')]);
      fill(p.tableHead, 'Checkpoints', el('span', {}, [many(c.count, 'checkpoint') + ' now', c.keep && 'kept by ' + c.keep, c.toRemove > 0 && count(c.toRemove) + ' removed in the next round',
        c.unreadable > 0 && many(c.unreadable, 'record') + ' unreadable'].filter(Boolean).join(' · ')));
      fill(p.table, checkpointTable(c, d, link));
      fill(p.more, this.options.more ? this.options.more(c) : c.count > c.rows.length && el('p', {class: 'foot'}, 'The newest ' + count(c.rows.length) + ' of ' + count(c.count) + '.'));
    }

    destroy() {
      this.chart.destroy();
    }
  }
  RunPage.HINT = 'drag to zoom · double click for all';

  // Arrow keys move a zoomed chart, + and - zoom, 0 shows all.
  function keyboard(event, chart) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return false;
    const act = {ArrowLeft: () => chart.pan(-0.25), ArrowRight: () => chart.pan(0.25), '+': () => chart.widen(0.5), '=': () => chart.widen(0.5), '-': () => chart.widen(2), 0: () => chart.zoom(null)}[event.key];
    if (!act || (event.key.startsWith('Arrow') && !chart.zoomed)) return false;
    act();
    event.preventDefault();
    return true;
  }

  Object.assign(Cairn, {RunPage, keyboard, style, runChain: chain, progressBar: progress});
})();
