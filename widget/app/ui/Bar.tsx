import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';
import type { IconName } from './Icon.tsx';
import type { SharedProps } from './shared.ts';

interface BarProps extends SharedProps {
  /** The way back and its name. */
  back?: [label: string, go: () => void] | false;
  children: ComponentChildren;
}

/** The top of a view: the way back, what this is, the way out. */
export function Bar({ app: { s, close }, back, children }: BarProps) {
  return (
    <header class="bar">
      {back && <BarButton icon="back" label={back[0]} onClick={back[1]} />}
      <div class="bar-title">{children}</div>
      {close && <BarButton icon="close" label={s.close} onClick={close} />}
    </header>
  );
}

function BarButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
