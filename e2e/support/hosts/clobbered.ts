/** The members of `document` that the loader reads; `widget/loader/clobbering.test.ts` checks that none is missing. */
const members = [
  'activeElement',
  'addEventListener',
  'body',
  'createElement',
  'currentScript',
  'dispatchEvent',
  'documentElement',
  'head',
  'querySelector',
  'querySelectorAll',
  'readyState',
  'removeEventListener',
  'scripts',
  'title',
];
const globals = ['Deskside', 'DesksideSettings'];

/** The address from which the elements try to load the widget's code. */
export const elsewhere = 'https://elsewhere.example';

const image = (name: string) => `<img alt="" name="${name}" src="${elsewhere}/x.js">`;
const fields = ['src', 'q', 'brand', 'append', 'matches', 'closest']
  .map((name) => `<input name="${name}">`)
  .join('');

const ofEach = (element: (name: string) => string, ids: (name: string) => string = element) =>
  [...members.map(element), ...globals.map(ids)].join('');

/** What a customer's post may have in it, without a script: bodies of pages, by path. */
export const clobbered = {
  '/clobbered/tag': image('currentScript'),
  '/clobbered/images': ofEach(image, (id) => `<a id="${id}" href="${elsewhere}"></a>`),
  '/clobbered/pairs': ofEach((name) => image(name) + image(name)),
  '/clobbered/forms': ofEach((name) => `<form hidden id="${name}" name="${name}">${fields}</form>`),
  '/clobbered/frames': ofEach((name) => `<iframe hidden name="${name}"></iframe>`),
  '/clobbered/objects': ofEach((name) => `<object hidden id="${name}" name="${name}"></object>`),
};
