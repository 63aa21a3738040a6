import { RE2JS } from 're2js';

/**
 * Tells whether a whole text has the form of a pattern, in time linear in the text, whatever the pattern.
 * @throws where this cannot be checked so, as with a backreference, or a browser would not take the pattern
 */
export function createMatcher(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  // What the browser does with it.
  void new RegExp(`^(?:${pattern})$`, 'u');
  return (text) => compiled.matches(text);
}
