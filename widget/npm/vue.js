import { defineComponent, onMounted, onUnmounted, shallowRef, watch } from 'vue';
import { eventNames, startComponent, unreadAnswers } from './component.js';

/** @satisfies {Record<keyof import('./index.d.ts').LoadOptions, true>} */
const options = {
  src: true,
  nonce: true,
  integrity: true,
  brand: true,
  logo: true,
  color: true,
  position: true,
  theme: true,
  locale: true,
  label: true,
  zIndex: true,
  offset: true,
  offsetPhone: true,
  greeting: true,
  texts: true,
  priority: true,
  subject: true,
  enter: true,
  files: true,
  sound: true,
  preview: true,
  titleBadge: true,
  pageTitle: true,
  dataLayer: true,
  stayOpen: true,
  launcher: true,
  launcherText: true,
  launcherIcon: true,
  whenClosed: true,
  invite: true,
  inviteAfter: true,
  invitePage: true,
};
const optionNames = Object.keys(options);

export const Deskside = /** @type {typeof import('./vue.d.ts').Deskside} */ (
  /** @type {unknown} */ (
    defineComponent({
      name: 'Deskside',
      // Without types: a setting that is not given must stay undefined, and Vue would make a missing Boolean false.
      props: [...optionNames, 'identify', 'customer'],
      emits: eventNames,
      setup(/** @type {Record<string, any>} */ props, { emit }) {
        const presentNames = () => optionNames.filter((name) => props[name] !== undefined);
        onMounted(() => {
          const component = startComponent(emit);
          const load = () =>
            component.load(
              /** @type {never} */ (Object.fromEntries(presentNames().map((name) => [name, props[name]]))),
            );
          const identify = () => component.identify({ identify: props.identify, customer: props.customer });
          // Deep, for `texts` whose fields change one by one.
          watch(() => optionNames.map((name) => props[name]), load, { immediate: true, deep: true });
          watch(() => [props.identify, props.customer], identify, { immediate: true });
          onUnmounted(component.end);
        });
        return () => null;
      },
    })
  )
);

/** @type {typeof import('./vue.d.ts').useUnread} */
export function useUnread() {
  const count = shallowRef(0);
  onMounted(() => {
    const read = () => (count.value = unreadAnswers.count());
    read();
    onUnmounted(unreadAnswers.subscribe(read));
  });
  return count;
}
