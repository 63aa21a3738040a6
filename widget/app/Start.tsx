import { Hero } from './ui/Hero.tsx';
import type { AppProps } from './app.ts';
import { refOf } from './ticket-list/names.ts';
import { TicketList } from './ticket-list/TicketList.tsx';
import { OpenedElsewhere } from './customer/Offers.tsx';
import { Waiting } from './ui/Waiting.tsx';
import { NewTicketButton } from './ui/Button.tsx';
import { View } from './ui/View.tsx';

/** The start view of a customer who has written before: the greeting and their tickets. */
export function Start({ app }: AppProps) {
  const { s, count, list, home, tickets, site, session } = app;
  const { claimable, moved } = session.current.value ?? {};
  const known = tickets.knownBefore.value;
  const colleagues = list.value.filter(({ colleague }) => colleague);
  const own = list.value.filter(({ colleague }) => !colleague);
  const found = own.filter((ticket) => known?.has(refOf(ticket)) === false);
  const others = own.filter((ticket) => !found.includes(ticket));
  return (
    <View app={app}>
      <Hero app={app} />
      <div class="body">
        {home.value !== 'tickets' && (
          <Waiting app={app} failure={tickets.listFailure.value} retry={app.refresh} />
        )}
        {home.value === 'tickets' && (
          <>
            {found[0] && (
              <TicketList app={app} title={count({ other: s.found }, found.length)} tickets={found} />
            )}
            {(others[0] || claimable || moved) && (
              <TicketList app={app} title={s.yourTickets} tickets={others}>
                <OpenedElsewhere app={app} />
              </TicketList>
            )}
            {colleagues[0] && <TicketList app={app} title={s.colleagues} tickets={colleagues} />}
          </>
        )}
        {site?.search(app)}
        {site && <site.Links app={app} />}
        <div class="send-row">
          <NewTicketButton app={app} />
        </div>
      </div>
    </View>
  );
}
