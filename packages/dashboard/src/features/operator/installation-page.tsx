// The installation, for its operator: servers, queue, database, checks and settings.

import type { Output, platform } from '@botstead/contract'
import { Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { clientFor } from '../../api/client.ts'
import { Grid } from '../../parts/grid.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { Backups } from './backups.tsx'
import { Checks } from './checks.tsx'
import { Settings } from './settings.tsx'

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
        {({ servers, queue, database, backups, settings }) => (
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
            <Backups state={backups} />
            <Section title={t.checks} hint={t.checksHint}>
              <Checks />
            </Section>
            <Section
              title={texts.common.labelled(t.database, t.megabytes(database.bytes))}
            >
              <Tables tables={database.tables} />
            </Section>
            <Section title={t.settings} hint={t.settingsHint}>
              <Settings settings={settings} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

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
          .map(({ name, bytes, rows }) => [
            name,
            t.megabytes(bytes),
            rows === null ? t.notCounted : toCount(rows),
          ])}
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
        head={[t.server, t.started, t.state]}
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
        {t.stateHint}
      </Text>
    </>
  )
}
