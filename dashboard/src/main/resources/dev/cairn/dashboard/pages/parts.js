// What all pages are made of: elements, and numbers as people read them. Texts become text nodes, never markup.
'use strict';
const Cairn = {};
(() => {
  const NS = 'http://www.w3.org/2000/svg';

  // Makes an element. Attributes that begin with "on" are listeners; children are nodes, texts, or lists of them.
  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value == null || value === false) continue;
      if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? '' : value);
    }
    add(node, children);
    return node;
  }

  function add(node, children) {
    for (const child of children.flat(Infinity)) {
      if (child == null || child === false) continue;
      node.append(child instanceof Node ? child : String(child));
    }
    return node;
  }

  function svg(tag, attributes, ...children) {
    const node = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    return add(node, children);
  }

  // Replaces what a node contains.
  function fill(node, ...children) {
    node.replaceChildren();
    return add(node, children);
  }

  const number = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
  const count = value => value == null || !isFinite(value) ? '–' : number.format(value);
  const many = (value, thing) => count(value) + ' ' + thing + (value === 1 ? '' : 's');

  function digits(value, three) {
    const size = Math.abs(value);
    return value.toFixed(size >= three ? 0 : size >= 10 ? 1 : 2).replace(/\.0+$|(\.\d*[1-9])0+$/, '$1');
  }

  function bytes(value) {
    if (value == null || !isFinite(value)) return '–';
    const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
    let unit = 0;
    while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return (unit === 0 ? String(Math.round(value)) : digits(value, 100)) + ' ' + units[unit];
  }

  function seconds(value) {
    if (value == null || !isFinite(value)) return '–';
    if (value < 0.001) return value === 0 ? '0 s' : digits(value * 1e6, 100) + ' µs';
    if (value < 1) return digits(value * 1e3, 100) + ' ms';
    if (value < 60) return digits(value, 100) + ' s';
    const whole = Math.round(value);
    if (whole < 3600) return Math.floor(whole / 60) + ' min' + (whole % 60 ? ' ' + whole % 60 + ' s' : '');
    if (whole < 86400 * 4) return Math.floor(whole / 3600) + ' h ' + Math.floor(whole % 3600 / 60) + ' min';
    return Math.floor(whole / 86400) + ' d ' + Math.floor(whole % 86400 / 3600) + ' h';
  }

  const percent = value => value == null || !isFinite(value) ? '–'
      : (Math.abs(value) < 0.0095 && value !== 0 ? (100 * value).toPrecision(2) : digits(100 * value, 100)) + ' %';
  const ratio = (full, stored) => full > 0 && stored > 0 ? digits(full / stored, 10) + '×' : '–';
  const score = (measure, value) => measure === 'accuracy' ? percent(value) : value == null ? '–' : plain(value);
  const plain = value => value == null || !isFinite(value) ? '–' : Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3)
      ? value.toExponential(2) : String(+value.toPrecision(4));

  const two = value => String(value).padStart(2, '0');
  const at = t => new Date(t * 1000);
  const day = t => at(t).getFullYear() + '-' + two(at(t).getMonth() + 1) + '-' + two(at(t).getDate());
  const minute = t => two(at(t).getHours()) + ':' + two(at(t).getMinutes());
  const second = t => minute(t) + ':' + two(at(t).getSeconds());
  // The time of day, with the day where it is not the day of the reference.
  const when = (t, reference) => day(t) === day(reference) ? second(t) : day(t) + ' ' + minute(t);
  const ago = value => value < 0.5 ? 'now' : value < 60 ? Math.round(value) + ' s ago' : value < 5400
      ? Math.round(value / 60) + ' min ago' : value < 129600 ? Math.round(value / 3600) + ' h ago' : Math.round(value / 86400) + ' d ago';

  // The colour of a worker, and its dash: colour alone tells nothing to many people.
  const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3], [10, 4]];
  const worker = index => ({color: 'var(--w' + index % 6 + ')', dash: DASHES[index % 6]});
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const paint = color => color.startsWith('var(') ? css(color.slice(4, -1)) : color;

  const logo = () => svg('svg', {viewBox: '0 0 22 22', 'aria-hidden': 'true'},
      svg('ellipse', {cx: 11, cy: 18, rx: 9, ry: 3.2, fill: 'var(--base)'}),
      svg('ellipse', {cx: 10.4, cy: 11.6, rx: 6.4, ry: 2.9, fill: 'var(--stone)'}),
      svg('ellipse', {cx: 11.4, cy: 5.8, rx: 3.9, ry: 2.4, fill: 'var(--accent)'}));

  const stone = kind => el('span', {class: 'k ' + (kind === 'base' || kind === 'merged' ? kind : ''), 'aria-hidden': 'true'});

  const STATES = {
    training: ['training', 'live'], done: ['done', ''], goal: ['goal reached', ''], stopped: ['stopped on notice', ''],
    diverged: ['diverged', 'bad'], failed: ['failed', 'bad'], killed: ['killed', 'bad'], silent: ['silent', 'bad'], unknown: ['no events', '']
  };
  const state = name => el('span', {class: 'pill ' + (STATES[name] || STATES.unknown)[1]}, (STATES[name] || [String(name)])[0]);

  Object.assign(Cairn, {el, add, svg, fill, count, many, bytes, seconds, percent, ratio, score, plain, day, minute, second, when, ago, worker, paint, css, logo, stone, state, two, at});
})();
