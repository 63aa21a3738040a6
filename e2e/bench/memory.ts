import { copies } from '../screens/copy.ts';
import { chippedId, longThread, noTickets } from '../screens/scenes.ts';
import { countAlive, heapMb, openAndClose } from './measure.ts';
import { loadAll, type Figure, panelSession, type Place, visitPlace } from './place.ts';

const openings = 200;
const messageCount = 2_000;

const mb = (value: number) => `${value.toFixed(2)} MB`;
const signed = (value: number) => (value > 0 ? '+' : '') + String(value);

/** What opening and closing leaves behind, in page and panel. */
const benchOpenings = (place: Place) =>
  visitPlace(place, async (visit): Promise<Figure[]> => {
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
    return (['page', 'panel'] as const).flatMap((where) => [
      {
        what: `heap of the ${where}, grown by ${openings} openings`,
        value: mb(after[where].mb - before[where].mb),
        beside: `aim: a few MB; before: ${mb(before[where].mb)}`,
      },
      {
        what: `elements and listeners of the ${where}, grown`,
        value: [
          signed(after[where].nodes - before[where].nodes),
          signed(after[where].listeners - before[where].listeners),
        ].join(', '),
        beside: `before: ${before[where].nodes}, ${before[where].listeners}`,
      },
    ]);
  });

/** The panel's heap with a conversation of so many messages on screen. */
const withThread = (place: Place, count: number) =>
  visitPlace(place, async (visit) => {
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

export async function benchMemory(place: Place): Promise<Figure[]> {
  const figures = await benchOpenings(place);
  const short = await withThread(place, 20);
  const long = await withThread(place, messageCount);
  return [
    ...figures,
    {
      what: `heap of the panel, grown by a thread of ${messageCount} messages`,
      value: mb(long.grownMb),
      beside: `aim: a few MB; of 20 messages: ${mb(short.grownMb)}; their JSON: ${mb(long.jsonMb)}`,
    },
    {
      what: 'elements of the panel with it',
      value: String(long.nodes),
      beside: `with 20 messages: ${short.nodes}`,
    },
  ];
}
