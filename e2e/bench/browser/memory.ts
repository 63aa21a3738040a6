import { copies } from '../../screens/copy.ts';
import { chippedId, longThread, noTickets } from '../../screens/scenes.ts';
import { countAlive, heapMb, openAndClose } from './measure.ts';
import { loadAll, panelSession, type PageTarget, visitPage } from './visit.ts';
import { figure, type Figure } from '../report/figure.ts';

const openings = 200;
const messageCount = 2_000;

const table = 'Memory';

/** Measures what remains in page and panel after opening and closing. */
const benchOpenings = (target: PageTarget) =>
  visitPage(target, async (visit): Promise<Figure[]> => {
    await visit.arrive(noTickets(copies.en));
    await visit.open();
    await openAndClose(visit.page, 5);
    const sessions = {
      page: await visit.context.newCDPSession(visit.page),
      panel: await panelSession(visit),
    };
    const look = async () => ({
      page: { mb: await heapMb(sessions.page), ...(await countAlive(sessions.page)) },
      panel: { mb: await heapMb(sessions.panel), ...(await countAlive(sessions.panel)) },
    });
    const before = await look();
    await openAndClose(visit.page, openings);
    const after = await look();
    return (['page', 'panel'] as const).flatMap((where) =>
      (['mb', 'nodes', 'listeners'] as const).map((kind) =>
        figure({
          table,
          what: `${kind === 'mb' ? 'heap' : kind} of the ${where}, grown by ${openings} openings`,
          unit: kind === 'mb' ? 'MB' : '',
          of: [after[where][kind] - before[where][kind]],
          beside: { 'before them': [before[where][kind]] },
          aim: kind === 'mb' ? 'a few MB' : '0',
        }),
      ),
    );
  });

/** The panel's heap with a conversation of this many messages on screen. */
const withThread = (target: PageTarget, count: number) =>
  visitPage(target, async (visit) => {
    const scene = longThread(copies.en, count);
    await visit.arrive(scene);
    await visit.open();
    const session = await panelSession(visit);
    await visit.app.getByText(scene.tickets[0]!.subject).waitFor();
    const before = await heapMb(session);
    await visit.open({ ticket: chippedId });
    await visit.app.getByText(`${count}. `).waitFor();
    await loadAll(visit, count);
    return {
      grownMb: (await heapMb(session)) - before,
      jsonMb: JSON.stringify(scene.tickets[0]).length / 1024 / 1024,
      ...(await countAlive(session)),
    };
  });

export async function benchMemory(target: PageTarget): Promise<Figure[]> {
  const figures = await benchOpenings(target);
  const short = await withThread(target, 20);
  const long = await withThread(target, messageCount);
  return [
    ...figures,
    figure({
      table,
      what: `heap of the panel, grown by a conversation of ${messageCount} messages`,
      unit: 'MB',
      of: [long.grownMb],
      beside: { '20 messages': [short.grownMb], 'their JSON': [long.jsonMb] },
      aim: 'a few MB',
    }),
    figure({
      table,
      what: 'elements of the panel with it',
      unit: '',
      of: [long.nodes],
      beside: { '20 messages': [short.nodes] },
    }),
  ];
}
