import { saveFile } from '../browser/save-file.ts';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import { fill } from '../i18n/words.ts';
import type { AppProps } from '../app.ts';
import { Bar, View } from '../ui/View.tsx';
import type { DataModel } from './data.ts';
import { Button } from '../ui/Button.tsx';

/** Where the customer is signed in, a copy of what is stored of them, and its deletion, which asks first. */
export function Data({ app, data }: AppProps & { data: DataModel }) {
  const { s, fullTime, customer } = app;
  const save = (json: string) => saveFile('support-data.json', json, 'application/json');
  const isDeleting = data.isDeleting.value;
  const isUndelivered = customer.task.failure.value?.code === 'operation_in_progress';
  return (
    <View app={app}>
      <Bar app={app} back={s.back} title={s.data.title} />
      <div class="body own-data">
        {!isDeleting && (
          <>
            <ul class="devices">
              {data.devices.value.map((device) => (
                <li key={device.created_at} aria-current={device.current || undefined}>
                  {device.current ? s.data.here : fill(s.data.used, { time: fullTime(device.last_used_at) })}
                </li>
              ))}
            </ul>
            <Button
              label={s.data.everywhere}
              look="button quiet"
              onClick={() => data.signOutEverywhere(s.data.signedOut)}
            />
            <Button label={s.data.download} look="button quiet" onClick={() => data.download(save)} />
          </>
        )}
        <output>{isDeleting && s.data.deleteHint}</output>
        {isDeleting && (
          <Button
            label={s.data.deleteNow}
            look="button harmful"
            onClick={() => data.deleteAll(s.data.deleted)}
          />
        )}
        <Button
          label={isDeleting ? s.back : s.data.delete}
          look={isDeleting ? 'button quiet' : 'link harmful'}
          onClick={() => data.ask(!isDeleting)}
        />
        {isUndelivered ? <output class="error">{s.data.undelivered}</output> : <TaskStatus app={app} />}
      </div>
    </View>
  );
}
