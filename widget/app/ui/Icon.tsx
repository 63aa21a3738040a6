export const shapes = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  home: 'M4 11l8-7 8 7v9h-5v-6h-6v6H4z',
  more: 'M12 5h0M12 12h0M12 19h0',
  search: 'M11 4a7 7 0 100 14a7 7 0 000-14M16 16l4.5 4.5',
  up: 'M12 19V5M5.5 11.5L12 5l6.5 6.5',
};

type IconName = keyof typeof shapes;

/** A decorative drawing of lines: use it beside a text or in a labelled button. */
export const Drawing = ({ path, name = '' }: { path: string; name?: string }) => (
  <svg class={`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

export const Icon = ({ name }: { name: IconName }) => <Drawing name={name} path={shapes[name]} />;
