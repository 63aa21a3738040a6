import { Component, Fragment } from 'preact';
import type { ReadonlySignal } from '@preact/signals';
import type { SiteFiles } from '../../../shared/contract/site.ts';
import type { AppProps, FileViews } from '../app.ts';
import { fill } from '../i18n/words.ts';
import { filesName } from '../new-ticket/drafts.ts';
import { asMessage, type LocalFile, textOf } from '../outbox/sends.ts';
import { refOf } from '../ticket-list/names.ts';
import type { FilesModel } from './model.ts';
import { type Reason, type Status, waiting } from './attached.ts';
import type { Sizes } from './sizes.ts';
import { Button, IconButton } from '../ui/Button.tsx';

/** The buttons are drawn without this script. */
export type LoadedFileViews = Pick<FileViews, 'FileChips' | 'Uploads'>;

interface FileViewsOptions {
  model: FilesModel;
  rules: SiteFiles;
  sizes: Sizes;
  /** Files are dragged over the panel, and can be dropped. */
  isDropping: ReadonlySignal<boolean>;
}

/** So many letters at the end of a name are always shown. */
const tailLength = 7;
/** Of a name in a sentence. */
const maxLetters = 28;

/** For a sentence, where a long name hides what is said of it. */
function short(name: string) {
  const letters = Array.from(name);
  return letters.length <= maxLetters
    ? name
    : `${letters.slice(0, 16).join('')}…${letters.slice(-10).join('')}`;
}

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

export function fileViews({ model, rules, sizes, isDropping }: FileViewsOptions): LoadedFileViews {
  const { sentences } = rules;
  const { statuses, remarks, last, unkept } = model;

  const withLimit = (sentence: string, name: string) =>
    fill(sentence, { name: short(name), size: sizes.text(rules.maxBytes) });

  /** For what another attempt cannot help. */
  const finalReasons: Partial<Record<Reason, string>> = {
    payload_too_large: sentences.tooLarge,
    unsupported_media_type: sentences.notTaken,
    lost: sentences.lost,
  };

  const statusOf = ({ key }: LocalFile): Status => statuses.value[key] ?? waiting;

  /** Why a file is not uploaded, with what can be done about it. */
  function WhyNot({ app, file }: AppProps & { file: LocalFile }) {
    const { state, reason } = statusOf(file);
    const final = state === 'failed' && finalReasons[reason!];
    return (
      <span class="file-reason">
        {state === 'failed' ? withLimit(final || sentences.failed, file.name) : sentences.retrying}
        {!final && <Button label={app.s.tryAgain} look="link" onClick={() => model.again(file.key)} />}
      </span>
    );
  }

  function Chip({ app, file }: AppProps & { file: LocalFile }) {
    const { key, name, size } = file;
    const { state, share, reason } = statusOf(file);
    const url = app.outbox.urls.value[key];
    return (
      <li class={`file ${reason ? state : ''}`}>
        {url ? (
          <img class="file-look" src={url} alt="" />
        ) : (
          <span class="file-look" aria-hidden="true">
            {endingOf(name)}
          </span>
        )}
        <div class="file-text">
          {state === 'failed' || <FileName name={name} />}
          {reason ? (
            <WhyNot app={app} file={file} />
          ) : state === 'done' ? (
            <span class="file-size">{sizes.text(size)}</span>
          ) : (
            <progress value={state === 'reading' ? undefined : share} aria-label={name} />
          )}
        </div>
        <IconButton
          look="file-remove"
          label={fill(sentences.remove, { name })}
          icon="M7 7l10 10M17 7L7 17"
          onClick={({ currentTarget }) => {
            const item = currentTarget.closest('li')!;
            const other = item.nextElementSibling ?? item.previousElementSibling;
            const next =
              other?.querySelector('.file-remove') ?? item.closest('form')?.querySelector('.attach-button');
            (next as HTMLElement | null | undefined)?.focus();
            model.remove(key);
          }}
        />
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
          <output>
            {remarks.value.map((remark) => (
              <p key={remark} class={remark.about === 'foreign' ? 'hint' : 'error'}>
                {remark.about === 'tooMany'
                  ? app.count(sentences.tooMany, rules.maxCount)
                  : withLimit(sentences[remark.about], remark.name)}
              </p>
            ))}
            {files.some(({ key }) => unkept.value.has(key)) && <p class="hint">{sentences.unkept}</p>}
            {event && (
              <p key={event} class="unseen">
                {fill(sentences[event.done], { name: event.name })}
              </p>
            )}
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
    const files = app.outbox.sends.value.find(({ key }) => key === sendKey)?.files ?? [];
    const open = files.filter((file) => statusOf(file).state !== 'done');
    const failed = open.filter((file) => statusOf(file).state === 'failed');
    const share = files.reduce((sum, file) => sum + statusOf(file).share, 0) / files.length;
    return (
      <>
        <span>
          {app.count(sentences.waiting, open.length)} {sizes.percent(share || 0)}
        </span>
        {!failed.length && open.some((file) => statusOf(file).reason) && (
          <span class="reason">{sentences.retrying}</span>
        )}
        {failed.map((file) => (
          <Fragment key={file.key}>
            <WhyNot app={app} file={file} />
            <Button
              label={withLimit(sentences.remove, file.name)}
              look="link"
              onClick={() => model.remove(file.key)}
            />
          </Fragment>
        ))}
        {failed.length > 0 && (
          <>
            <span class="reason">{sentences.stuck}</span>
            <Button label={sentences.edit} look="link" onClick={() => edit(app, sendKey)} />
          </>
        )}
        {files.some(({ key }) => unkept.value.has(key)) && <span class="reason">{app.s.onlyHere}</span>}
      </>
    );
  }

  return { FileChips, Uploads };
}
