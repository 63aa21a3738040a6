import { RE2JS } from 're2js';

/**
 * Creates a function that checks whether a whole text matches a pattern. For every pattern it takes time linear in the
 * text.
 * @throws when the pattern cannot be checked in linear time, such as one with a backreference, or when browsers do
 * not accept it
 */
export function createMatcher(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  // As browsers compile the `pattern` attribute.
  void new RegExp(`^(?:${pattern})$`, 'u');
  return (text) => compiled.matches(text);
}
