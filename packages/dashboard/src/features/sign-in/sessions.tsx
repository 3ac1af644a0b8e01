// The sessions of the account, each with a button that ends it.

import type { Session } from '@botstead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clientFor } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { MoreButton } from '../../parts/more-button.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'

const { platform } = clientFor()

export function Sessions() {
  const queries = useQueryClient()
  const query = usePages(
    ['sessions'],
    (page, options) => platform.listSessions({ query: page }, options),
    { refetchInterval: 10_000, refetchOnFocus: true },
  )
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['sessions'] })
  const endOthers = useMutation({
    mutationFn: () => platform.endOtherSessions(),
    onSuccess: ({ ended }) => {
      notifyDone(texts.account.endedOthers(ended))
      return onSuccess()
    },
    onError: notifyFailed,
  })
  const rows = query.data?.pages.flatMap(({ sessions }) => sessions)
  return (
    <Section title={texts.account.sessions} hint={texts.account.sessionsHint}>
      {query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {rows?.map((session) => (
        <Row key={session.id} session={session} onEnded={onSuccess} />
      ))}
      <Group>
        <MoreButton query={query} label={texts.common.more} />
        {rows && rows.length > 1 && (
          <Button
            variant="default"
            onClick={() => endOthers.mutate()}
            loading={endOthers.isPending}
          >
            {texts.account.endOthers}
          </Button>
        )}
      </Group>
    </Section>
  )
}

function Row({ session, onEnded }: { session: Session; onEnded: () => Promise<void> }) {
  const { id, browser, address, createdAt, lastUsedAt, isCurrent } = session
  const end = useMutation({
    mutationFn: () => platform.endOneSession({ params: { id } }),
    onSuccess: onEnded,
    onError: notifyFailed,
  })
  return (
    <Group justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" className="foreign" title={browser}>
          {browserName(browser)} · {address}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {isCurrent ? (
            texts.account.inUse
          ) : (
            <>
              {texts.account.lastUsed} <Moment at={lastUsedAt} />
            </>
          )}{' '}
          · {texts.account.signedIn} <Moment at={createdAt} />
        </Text>
      </div>
      {isCurrent ? (
        <Badge variant="default">{texts.account.session}</Badge>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => end.mutate()}
          loading={end.isPending}
        >
          {texts.account.endSession}
        </Button>
      )}
    </Group>
  )
}

const names: [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns `Firefox, Linux` for a known user agent, else its beginning. */
function browserName(userAgent: string): string {
  const find = (list: [RegExp, string][]) =>
    list.find(([form]) => form.test(userAgent))?.[1]
  const found = [find(names), find(systems)].filter(Boolean).join(', ')
  return found || userAgent.slice(0, 40) || texts.account.unknownBrowser
}
