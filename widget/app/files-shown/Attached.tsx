import { Component } from 'preact';
import type { AttachedSentences } from '../../../shared/contract/site.ts';
import type { App, AppProps } from '../app.ts';
import { createSizes, type Sizes } from '../files/sizes.ts';
import type { ShownMessage } from '../outbox/sends.ts';
import { adoptStyles } from '../browser/page.ts';
import css from './files-shown.css?inline';
import type { MessageFile } from '../../../shared/contract/files.ts';
import { Loading } from './Loading.tsx';
import { Viewer } from './Viewer.tsx';

/** Makes what draws the files of a message. `language`: BCP 47. */
export function createAttached(sentences: AttachedSentences, language: string) {
  adoptStyles(css);
  const sizes = createSizes(language);
  return (app: App, { files }: ShownMessage) => (
    <Attached app={app} files={files!} sentences={sentences} sizes={sizes} />
  );
}

interface AttachedProps extends AppProps {
  sentences: AttachedSentences;
  sizes: Sizes;
  files: readonly MessageFile[];
}

const isPicture = ({ width, picture }: MessageFile) => Boolean(width ?? picture);

/** Every picture of a conversation once, oldest first. */
const picturesOf = (messages: readonly ShownMessage[]) => [
  ...new Map(
    messages.flatMap(({ files = [] }) => files.filter(isPicture).map((file) => [file.url, file] as const)),
  ).values(),
];

/** The files of a message: pictures, which open large, and cards of all others. */
class Attached extends Component<AttachedProps, { open: string | null }> {
  override state = { open: null };
  /** What opened the viewer, which gets the focus back. */
  #opener: HTMLElement | null = null;

  #picture(file: MessageFile) {
    const { app, sentences } = this.props;
    const { width, height, isSmall } = boxOf(file);
    const style = { width: `${width}px`, height: `${height}px` };
    return (
      <Loading key={file.url} url={file.url} name={file.name} isLazy>
        {(image, state, again) =>
          state === 'removed' ? (
            <p class="file-picture" style={style}>
              {sentences.removed}
            </p>
          ) : (
            <button
              type="button"
              class={`file-picture ${state} ${isSmall ? 'small' : ''}`}
              style={style}
              aria-haspopup={image ? 'dialog' : undefined}
              onClick={(event) => {
                if (!image) return again();
                this.#opener = event.currentTarget;
                this.setState({ open: file.url });
              }}
            >
              {image || (
                <>
                  <span>{app.s.loadFailed}</span>
                  <b>{app.s.tryAgain}</b>
                </>
              )}
            </button>
          )
        }
      </Loading>
    );
  }

  override render({ app, files, sentences, sizes }: AttachedProps, { open }: { open: string | null }) {
    const pictures = files.filter(isPicture);
    const others = files.filter((file) => !isPicture(file));
    return (
      <div class="attached">
        {pictures.length > 0 && (
          <div class={pictures.length > 1 ? 'pictures several' : 'pictures'}>
            {pictures.map((file) => this.#picture(file))}
          </div>
        )}
        {others.map((file) => (
          <FileCard key={file.url} file={file} sizes={sizes} />
        ))}
        {open !== null && (
          <Viewer
            app={app}
            sentences={sentences}
            pictures={picturesOf(app.messages.value)}
            first={open}
            onClose={() => {
              this.setState({ open: null });
              this.#opener?.focus();
            }}
          />
        )}
      </div>
    );
  }
}

const ending = /\.([a-z0-9]{1,4})$/i;

/** A file that is not shown in place. It opens in a new tab once it is sent. */
function FileCard({ file: { name, size, url }, sizes }: { file: MessageFile; sizes: Sizes }) {
  const content = (
    <>
      <span class="file-kind" aria-hidden="true">
        {ending.exec(name)?.[1]}
      </span>
      <span class="file-facts">
        <span class="file-name" dir="auto">
          {name}
        </span>
        {size > 0 && <span class="file-size">{sizes.text(size)}</span>}
      </span>
    </>
  );
  // One that is still in this browser.
  if (url.startsWith('blob:')) return <p class="file-card">{content}</p>;
  return (
    <a class="file-card" href={url} title={name} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  );
}

/** In CSS pixels. */
const most = { width: 240, height: 180 };
/** Enough for a finger, and for the sentence in place of a picture that is not shown. */
const least = { width: 96, height: 72 };

const between = (low: number, value: number, high: number) =>
  Math.round(Math.min(high, Math.max(low, value)));

/**
 * The room that a picture gets before it is loaded, in CSS pixels. Very long ones are cut to it, and small ones stand in its
 * middle.
 */
export function boxOf({
  width,
  height,
}: Pick<MessageFile, 'width' | 'height'>): typeof most & { isSmall: boolean } {
  if (!width || !height) return { ...most, isSmall: true };
  const scale = Math.min(1, most.width / width, most.height / height);
  return {
    width: between(least.width, width * scale, most.width),
    height: between(least.height, height * scale, most.height),
    isSmall: width <= least.width && height <= least.height,
  };
}
