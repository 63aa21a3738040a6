import { Component } from 'preact';

const isUnchanged = (a: unknown, b: unknown): boolean =>
  a === b ||
  (Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((item, place) => item === b[place]));

/** A component that is drawn anew only with another prop, for what stands there by the thousands. */
export abstract class Steady<Props extends object> extends Component<Props> {
  override shouldComponentUpdate(next: Props) {
    return Object.entries(next).some(([name, value]) => !isUnchanged(value, this.props[name as keyof Props]));
  }
}
