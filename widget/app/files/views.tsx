import { Component, createRef } from 'preact';
import type { ReadonlySignal } from '@preact/signals';
import type { SiteFiles } from '../../../shared/contract/site.ts';
import type { AppProps, FileViews } from '../app.ts';
import { fill } from '../i18n/words.ts';
import { filesName } from '../new-ticket/drafts.ts';
import { asMessage, type LocalFile, textOf } from '../outbox/sends.ts';
import { refOf } from '../ticket-list/names.ts';
import type { FilesModel, Reason, Status } from './model.ts';
import type { Sizes } from './sizes.ts';

interface FileViewsOptions {
  model: FilesModel;
  rules: SiteFiles;
  sizes: Sizes;
  /** Files are dragged over the panel, and can be dropped. */
  isDropping: ReadonlySignal<boolean>;
}

/** So many letters at the end of a name are always shown. */
const tailLength = 8;

/** Cut in its middle where it has no room: its ending says what it is. */
function FileName({ name }: { name: string }) {
  const letters = Array.from(name);
  return (
    <>
      <span class="unseen">{name}</span>
      <span class="file-name" dir="auto" title={name} aria-hidden="true">
        <span>{letters.slice(0, -tailLength).join('')}</span>
        <span>{letters.slice(-tailLength).join('')}</span>
      </span>
    </>
  );
}

const endingOf = (name: string) => /\.(\w{1,4})$/.exec(name)?.[1]?.toUpperCase() ?? '';

export function fileViews({ model, rules, sizes, isDropping }: FileViewsOptions): FileViews {
  const { sentences } = rules;
  const { statuses, remarks, last, unkept } = model;

  /** Why a file is not uploaded, as a sentence; null for what does not stop it. */
  function sentenceFor(
    { name }: Pick<LocalFile, 'name'>,
    { state, reason }: Pick<Status, 'state' | 'reason'>,
  ) {
    if (reason === null) return null;
    if (state !== 'failed') return sentences.retrying;
    const known: Partial<Record<Reason, string>> = {
      payload_too_large: sentences.tooLarge,
      unsupported_media_type: sentences.notTaken,
      lost: sentences.lost,
    };
    return fill(known[reason] ?? sentences.failed, { name, size: sizes.text(rules.maxBytes) });
  }

  /** Whether another attempt can help. */
  const isWorthIt = ({ state, reason }: Status) =>
    reason !== null &&
    (state === 'waiting' || !['payload_too_large', 'unsupported_media_type', 'lost'].includes(reason));

  function Chip({ app, file }: AppProps & { file: LocalFile }) {
    const { s, outbox } = app;
    const { key, name, size } = file;
    const status: Status = statuses.value[key] ?? { state: 'waiting', share: 0, reason: null };
    const url = outbox.urls.value[key];
    const sentence = sentenceFor(file, status);
    return (
      <li class={`file ${sentence ? status.state : ''}`}>
        {url ? (
          <img class="file-look" src={url} alt="" />
        ) : (
          <span class="file-look" aria-hidden="true">
            {endingOf(name)}
          </span>
        )}
        <div class="file-text">
          <FileName name={name} />
          {sentence ? (
            <span class="file-reason">
              {sentence}
              {isWorthIt(status) && (
                <button type="button" class="link" onClick={() => model.again(key)}>
                  {s.tryAgain}
                </button>
              )}
            </span>
          ) : status.state === 'done' ? (
            <span class="file-size">{sizes.text(size)}</span>
          ) : (
            <progress
              max={1}
              value={status.state === 'reading' ? undefined : status.share}
              aria-label={name}
            />
          )}
        </div>
        <button
          type="button"
          class="icon-button file-remove"
          aria-label={fill(sentences.remove, { name })}
          title={fill(sentences.remove, { name })}
          onClick={({ currentTarget }) => {
            const item = currentTarget.closest('li')!;
            const other = item.nextElementSibling ?? item.previousElementSibling;
            const next =
              other?.querySelector<HTMLElement>('.file-remove') ??
              item.closest('form')?.querySelector<HTMLElement>('.attach-button');
            next?.focus();
            model.remove(key);
          }}
        >
          <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M7 7l10 10M17 7L7 17" />
          </svg>
        </button>
      </li>
    );
  }

  class FileChips extends Component<AppProps & { name?: string }> {
    override componentWillMount() {
      model.open(this.props.name ?? 'new');
    }

    override render({ app, name = 'new' }: AppProps & { name?: string }) {
      const files = app.drafts.files(name).value;
      const event = last.value;
      return (
        <>
          {files.length > 0 && (
            <ul class="files" aria-label={sentences.list}>
              {files.map((file) => (
                <Chip key={file.key} app={app} file={file} />
              ))}
            </ul>
          )}
          {remarks.value.map((remark) => (
            <p key={remark} class={remark.about === 'foreign' ? 'hint' : 'error'}>
              {remark.about === 'tooMany'
                ? app.count(sentences.tooMany, rules.maxCount)
                : fill(sentences[remark.about], { name: remark.name, size: sizes.text(rules.maxBytes) })}
            </p>
          ))}
          {files.some(({ key }) => unkept.value.has(key)) && <p class="hint">{sentences.unkept}</p>}
          <output class="unseen">
            {event && <p key={event}>{fill(sentences[event.done], { name: event.name })}</p>}
            {remarks.value.map((remark) => (
              <p key={remark}>
                {remark.about === 'tooMany'
                  ? app.count(sentences.tooMany, rules.maxCount)
                  : fill(sentences[remark.about], { name: remark.name, size: sizes.text(rules.maxBytes) })}
              </p>
            ))}
          </output>
          {isDropping.value && (
            <div class="file-drop">
              <p>{sentences.drop}</p>
            </div>
          )}
        </>
      );
    }
  }

  class AttachButton extends Component<AppProps & { name?: string }> {
    #input = createRef<HTMLInputElement>();

    override render({ app, name = 'new' }: AppProps & { name?: string }) {
      return (
        <>
          <button
            type="button"
            class="icon-button attach-button"
            aria-label={sentences.attach}
            title={sentences.attach}
            onClick={() => this.#input.current!.click()}
          >
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M19.5 11.5l-7.6 7.6a4.9 4.9 0 01-7-7l8-8a3.3 3.3 0 014.7 4.7l-7.9 7.9a1.7 1.7 0 01-2.4-2.4l7.2-7.1" />
            </svg>
          </button>
          <input
            ref={this.#input}
            type="file"
            multiple
            hidden
            accept={rules.types.join(',')}
            onChange={({ currentTarget }) => {
              const chosen = [...currentTarget.files!];
              // So that the same file can be chosen again after it was removed.
              currentTarget.value = '';
              if (name === 'new') app.view.keepForm();
              model.add(name, chosen);
            }}
          />
        </>
      );
    }
  }

  /** Takes a message back to where it was written. */
  function edit({ drafts, outbox, sending, viewed }: AppProps['app'], sendKey: string) {
    const send = outbox.find(sendKey);
    if (!send || send.is_held) return;
    if (send.kind === 'ticket') return sending.startWith([asMessage(send)]);
    const ref = refOf(viewed.peek() ?? send.ticket);
    const texts = [textOf(send), drafts.reply(ref).peek()].filter((text) => text.trim());
    drafts.write(ref, texts.join('\n\n'));
    drafts.write(filesName(ref), [...(send.files ?? []), ...drafts.files(ref).peek()]);
    outbox.discard(sendKey);
  }

  function Uploads({ app, sendKey }: AppProps & { sendKey: string }) {
    const { s, outbox, count, percentText } = { ...app, percentText: sizes.percent };
    const files = outbox.sends.value.find(({ key }) => key === sendKey)?.files ?? [];
    const states = files.map((file) => ({
      file,
      status: statuses.value[file.key] ?? ({ state: 'waiting', share: 0, reason: null } as Status),
    }));
    const open = states.filter(({ status }) => status.state !== 'done');
    const failed = open.filter(({ status }) => status.state === 'failed');
    const share = states.reduce((sum, { status }) => sum + status.share, 0) / Math.max(1, states.length);
    const isSlow = failed.length === 0 && open.some(({ status }) => status.reason !== null);
    return (
      <>
        <span>
          {count(sentences.waiting, open.length)} {share > 0 && share < 1 && percentText(share)}
        </span>
        {isSlow && <span class="reason">{sentences.retrying}</span>}
        {failed.map(({ file, status }) => (
          <span key={file.key} class="file-reason">
            {sentenceFor(file, status)}
            {isWorthIt(status) && (
              <button type="button" class="link" onClick={() => model.again(file.key)}>
                {s.tryAgain}
              </button>
            )}
            <button type="button" class="link" onClick={() => model.remove(file.key)}>
              {fill(sentences.remove, { name: file.name })}
            </button>
          </span>
        ))}
        {failed.length > 0 && (
          <>
            <span class="reason">{sentences.stuck}</span>
            <button type="button" class="link" onClick={() => edit(app, sendKey)}>
              {sentences.edit}
            </button>
          </>
        )}
        {files.some(({ key }) => unkept.value.has(key)) && <span class="reason">{s.onlyHere}</span>}
      </>
    );
  }

  return { AttachButton, FileChips, Uploads };
}
