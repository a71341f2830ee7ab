// Draws the report from the data that the file brings along.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const {el, day, second} = Cairn;
  document.body.prepend(el('header', {class: 'bar-top'}, Cairn.logo(), el('b', {}, 'Cairn'), el('span', {class: 'crumbs'}, 'report / ', el('b', {}, data.run.name)),
      el('span', {class: 'right'}, el('span', {}, day(data.run.now) + ' ' + second(data.run.now).slice(0, 5)))));
  const page = new Cairn.RunPage(document.querySelector('main'), {});
  page.show(data.run, data.checkpoints);
  page.places.foot.append(el('p', {class: 'foot'}, data.run.place + ' · made by cairn ' + data.version + ' · times of this browser\'s zone'));
  document.addEventListener('keydown', event => Cairn.keyboard(event, page.chart));
})();
