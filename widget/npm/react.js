'use client';

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { startComponent, unreadAnswers } from './component.js';

/** @typedef {import('./component.d.ts').Component} Component */

/** @type {typeof import('./react.d.ts').Deskside} */
export function Deskside({ identify, customer, on, ...options }) {
  /** @type {import('react').RefObject<Component | null>} */
  const component = useRef(null);
  const handlers = useRef(on);

  useEffect(() => {
    handlers.current = on;
  });
  useEffect(() => {
    const started = startComponent((name, detail) => handlers.current?.[name]?.(detail));
    component.current = started;
    return started.end;
  }, []);
  // At every rendering: it compares the settings itself.
  useEffect(() => component.current?.load(options));
  useEffect(() => component.current?.identify({ identify, customer }), [identify, customer]);
  return null;
}

/** @type {typeof import('./react.d.ts').useUnread} */
export const useUnread = () => useSyncExternalStore(unreadAnswers.subscribe, unreadAnswers.count, () => 0);
