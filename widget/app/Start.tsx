import { Hero } from './ui/Hero.tsx';
import type { AppProps } from './app.ts';
import { TicketList } from './ticket-list/TicketList.tsx';
import { OpenedElsewhere } from './customer/Offers.tsx';
import { Waiting } from './ui/Waiting.tsx';
import { NewTicketButton } from './ui/NewTicketButton.tsx';
import { View } from './ui/View.tsx';

/** The start view of a customer who has written before: the greeting and their tickets. */
export function Start({ app }: AppProps) {
  const { s, list, home, tickets, site, session } = app;
  const { claimable, moved } = session.current.value ?? {};
  const own = list.value.filter(({ colleague }) => !colleague);
  const colleagues = list.value.filter(({ colleague }) => colleague);
  return (
    <View app={app}>
      <Hero app={app} />
      <div class="body">
        {home.value !== 'tickets' && (
          <Waiting app={app} failure={tickets.listFailure.value} retry={app.refresh} />
        )}
        {home.value === 'tickets' && (own.length > 0 || claimable || moved) && (
          <>
            <h2 class="label">{s.yourTickets}</h2>
            <TicketList app={app} shown={own}>
              <OpenedElsewhere app={app} />
            </TicketList>
          </>
        )}
        {colleagues.length > 0 && (
          <>
            <h2 class="label">{s.colleagues}</h2>
            <TicketList app={app} shown={colleagues} />
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
