// The installation, for its operator: servers, queue, database, checks and settings.

import type { Output, platform } from '@botstead/contract'
import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { clientFor } from '../../api/client.ts'
import { Grid } from '../../parts/grid.tsx'
import { exactTime } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Failed, Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { Backups } from './backups.tsx'

const t = texts.installation

type State = Output<typeof platform.installation.getInstallationState>

export function InstallationPage() {
  const query = useQuery({
    queryKey: ['installation'],
    queryFn: ({ signal }) => clientFor().platform.getInstallationState({}, { signal }),
    refetchInterval: 10_000,
  })
  return (
    <Page title={t.title}>
      <Loaded query={query}>
        {({ servers, queue, database, settings }) => (
          <Stack>
            <Section title={t.servers}>
              <Servers servers={servers} />
            </Section>
            {queue && (
              <Section title={t.queue}>
                <SimpleGrid cols={{ base: 2, sm: 4 }}>
                  <Figure name={t.pending}>{queue.pending}</Figure>
                  <Figure name={t.lanes}>{queue.lanes}</Figure>
                  <Figure name={t.oldest}>{t.seconds(queue.oldestSeconds)}</Figure>
                  <Figure name={t.deadLetters}>{queue.deadLetters}</Figure>
                </SimpleGrid>
              </Section>
            )}
            <Backups />
            <Section title={t.checks}>
              <Checks />
            </Section>
            <Section title={`${t.database}: ${t.megabytes(database.bytes)}`}>
              <Tables tables={database.tables} />
            </Section>
            <Section title={t.settings}>
              <Grid
                head={[t.setting, t.value]}
                rows={setFirst(settings).map(({ name, value }) => [name, value ?? t.notSet])}
              />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

const setFirst = (settings: State['settings']) =>
  settings.toSorted((a, b) => Number(a.value === null) - Number(b.value === null))

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <Text fw={650} fz="lg">
      {children}
    </Text>
  </div>
)

const shownTables = 10

/** The server returns the largest tables first. */
function Tables({ tables }: Pick<State['database'], 'tables'>) {
  const [hasAll, all] = useDisclosure(false)
  return (
    <>
      <Grid
        head={[t.table, t.size, t.rows]}
        rows={tables
          .slice(0, hasAll ? undefined : shownTables)
          .map(({ name, bytes, rows }) => [name, t.megabytes(bytes), rows.toLocaleString('en')])}
      />
      {!hasAll && tables.length > shownTables && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={all.open}>
            {t.allTables(tables.length)}
          </Button>
        </Group>
      )}
    </>
  )
}

function Servers({ servers }: Pick<State, 'servers'>) {
  return (
    <>
      <Grid
        head={[t.server, t.started, t.lease]}
        rows={servers.map(({ id, host, pid, startedAt, isAlive }) => [
          <div key={id}>
            {host}
            <Text size="xs" c="dimmed" className="foreign">
              {t.process(pid, id)}
            </Text>
          </div>,
          exactTime(startedAt),
          <Badge
            key={id}
            miw="max-content"
            {...(isAlive ? { variant: 'default' } : { color: 'red.8' })}
          >
            {isAlive ? t.alive : t.dead}
          </Badge>,
        ])}
      />
      <Text size="sm" c="dimmed">
        {t.leaseHint}
      </Text>
    </>
  )
}

const findingColours = { good: 'pine', advice: 'yellow', bad: 'red' }

function Checks() {
  const run = useMutation({ mutationFn: () => clientFor().platform.checkInstallation() })
  return (
    <Stack gap="xs" align="start">
      <Text size="sm" c="dimmed">
        {t.checksHint}
      </Text>
      <Button variant="default" onClick={() => run.mutate()} loading={run.isPending}>
        {t.runChecks}
      </Button>
      {run.error && <Failed error={run.error} />}
      {run.data?.findings.map(({ about, text, state, advice }) => (
        <Alert
          key={about + text}
          w="100%"
          color={findingColours[state]}
          title={`${t.states[state]}: ${about}`}
        >
          <Text size="sm" className="foreign">
            {text}
          </Text>
          {advice && (
            <Text size="sm" className="foreign">
              {advice}
            </Text>
          )}
        </Alert>
      ))}
    </Stack>
  )
}
