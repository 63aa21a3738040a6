import type { ComponentChild } from 'preact';
import { Component } from 'preact';

/** More than fill a screen. */
const atOnce = 50;
const pauseMs = 20;

interface GradualProps {
  /** Each with a key. */
  items: readonly ComponentChild[];
}

/** Draws the last items now and those before them bit by bit, so that the page can do other things meanwhile. */
export class Gradual extends Component<GradualProps> {
  override state = { count: atOnce };
  #timer: ReturnType<typeof setTimeout> | undefined;

  #goOn() {
    clearTimeout(this.#timer);
    const { count } = this.state;
    // Ahead by one step: what comes new at the end must not push out what stands first.
    if (count < this.props.items.length + atOnce)
      this.#timer = setTimeout(() => this.setState({ count: count + atOnce }), pauseMs);
  }

  override componentDidMount() {
    this.#goOn();
  }

  override componentDidUpdate() {
    this.#goOn();
  }

  override componentWillUnmount() {
    clearTimeout(this.#timer);
  }

  override render() {
    return <div>{this.props.items.slice(-this.state.count)}</div>;
  }
}
