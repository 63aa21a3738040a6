import { Component } from 'preact';
import type { MessageFile } from '../../../shared/contract/files.ts';
import type { AttachedSentences } from '../../../shared/contract/site.ts';
import type { AppProps } from '../app.ts';
import type { Sizes } from '../files/sizes.ts';
import type { ShownMessage } from '../outbox/sends.ts';
import { boxOf } from './box.ts';
import { FileCard } from './FileCard.tsx';
import { Loading } from './Loading.tsx';
import { Viewer } from './Viewer.tsx';

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
export class Attached extends Component<AttachedProps, { open: string | null }> {
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
