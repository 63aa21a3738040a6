import { Component, createRef } from 'preact';
import type { SiteFiles } from '../../../shared/contract/site.ts';
import type { AppProps } from '../app.ts';
import { ScreenshotButton } from '../files/screenshot/ScreenshotButton.tsx';
import { IconButton } from '../ui/Button.tsx';

interface AttachButtonsProps extends AppProps {
  rules: SiteFiles;
  onFiles: (files: File[]) => void;
}

/** The buttons that attach something. The script that takes it is fetched once there is something. */
export class AttachButtons extends Component<AttachButtonsProps> {
  #input = createRef<HTMLInputElement>();

  override render({ app, rules, onFiles }: AttachButtonsProps) {
    return (
      <>
        <IconButton
          look="attach-button"
          label={rules.sentences.attach}
          icon="M19.5 11.5l-7.6 7.6a4.9 4.9 0 01-7-7l8-8a3.3 3.3 0 014.7 4.7l-7.9 7.9a1.7 1.7 0 01-2.4-2.4l7.2-7.1"
          onClick={() => this.#input.current!.click()}
        />
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
            onFiles(chosen);
          }}
        />
        <ScreenshotButton app={app} s={rules.screenshot} onFile={(file) => onFiles([file])} />
      </>
    );
  }
}
