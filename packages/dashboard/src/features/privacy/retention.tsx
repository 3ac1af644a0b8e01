// Days by kind of data. A dialog shows the counts of a dry run before the rules are stored.
import type { RetentionCounts, RetentionDays, RetentionKind } from '@botstead/contract'
import { Button, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.privacy
const retentionKinds = Object.keys(t.kinds) as RetentionKind[]

export function Retention() {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['bots', botId, 'retention'],
    queryFn: ({ signal }) => client.platform.getRetention({}, { signal }),
  })
  return (
    <Section title={t.retention} hint={t.retentionHint}>
      <Loaded query={query}>
        {({ rules, limits }) => (
          <RetentionForm key={JSON.stringify(rules)} stored={rules} limits={limits} />
        )}
      </Loaded>
    </Section>
  )
}

function RetentionForm({
  stored,
  limits,
}: {
  stored: RetentionDays
  limits: RetentionDays
}) {
  const isEditor = useMay()('data.write')
  const [rules, setRules] = useState(stored)
  const [isSaving, setSaving] = useState(false)
  useUnsaved(!isSame(rules, stored))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setSaving(true)
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {retentionKinds.map((kind) => (
          <Days
            key={kind}
            kind={kind}
            limit={limits[kind]}
            days={rules[kind]}
            isReadOnly={!isEditor}
            onChange={(days) => setRules(withDays(rules, kind, days))}
          />
        ))}
      </SimpleGrid>
      {isEditor && (
        <>
          <Count key={JSON.stringify(rules)} rules={rules} />
          <Group justify="flex-end" mt="sm">
            <Button type="submit" disabled={isSame(rules, stored)}>
              {t.save}
            </Button>
          </Group>
        </>
      )}
      {isSaving && <SaveDialog rules={rules} onClose={() => setSaving(false)} />}
    </form>
  )
}

interface DaysProps {
  kind: RetentionKind
  limit: number | undefined
  days: number | undefined
  isReadOnly: boolean
  onChange: (days: number | undefined) => void
}

const Days = ({ kind, limit, days, isReadOnly, onChange }: DaysProps) => (
  <NumberInput
    // Fields beside one another are aligned, also if one has no or a longer hint.
    styles={{
      root: { display: 'flex', flexDirection: 'column', justifyContent: 'flex-end' },
      description: { whiteSpace: 'pre-line' },
    }}
    label={t.inDays(t.kinds[kind])}
    description={[t.hints[kind], limit && t.limit(limit)].filter(Boolean).join('\n')}
    placeholder={limit ? t.days(limit) : t.noLimit}
    value={days ?? ''}
    min={1}
    max={limit ?? 36_500}
    allowDecimal={false}
    allowNegative={false}
    clampBehavior="blur"
    readOnly={isReadOnly}
    hideControls={isReadOnly}
    onChange={(value) => onChange(typeof value === 'number' ? value : undefined)}
  />
)

function withDays(rules: RetentionDays, kind: RetentionKind, days: number | undefined) {
  const { [kind]: _, ...others } = rules
  return days ? { ...others, [kind]: days } : others
}

const isSame = (a: RetentionDays, b: RetentionDays) =>
  retentionKinds.every((kind) => a[kind] === b[kind])

/** The counts of a dry run, before anything is saved. */
function Count({ rules }: { rules: RetentionDays }) {
  const { client } = useBot()
  const count = useMutation({
    mutationFn: () => client.platform.countRetention({ body: rules }),
  })
  return (
    <Stack gap="xs" mt="sm">
      <Group>
        <Button
          variant="default"
          loading={count.isPending}
          onClick={() => count.mutate()}
        >
          {t.count}
        </Button>
      </Group>
      <ActionError error={count.error} />
      {count.data && (
        <div role="status">
          <Counts counts={count.data.counts} />
        </div>
      )}
    </Stack>
  )
}

function SaveDialog({ rules, onClose }: { rules: RetentionDays; onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['bots', botId, 'retention', 'counts', rules],
    queryFn: ({ signal }) => client.platform.countRetention({ body: rules }, { signal }),
    gcTime: 0,
  })
  const total =
    query.data && Object.values(query.data.counts).reduce((n, one) => n + one.count, 0)
  return (
    <Confirm
      title={t.saveTitle}
      button={total === 0 ? texts.common.save : t.saveNow}
      harmless={total === 0}
      isReady={query.data !== undefined}
      onConfirm={async () => {
        await client.platform.setRetention({ body: rules })
        notifyDone(texts.common.saved)
        await queries.invalidateQueries({ queryKey: ['bots', botId, 'retention'] })
      }}
      onClose={onClose}
    >
      <Loaded query={query}>{({ counts }) => <Counts counts={counts} />}</Loaded>
    </Confirm>
  )
}

function Counts({ counts }: { counts: RetentionCounts }) {
  const found = retentionKinds.filter((kind) => counts[kind]?.count)
  if (found.length === 0) return <Text size="sm">{t.nothing}</Text>
  return (
    <>
      <Text size="sm">{t.deletes}</Text>
      {found.map((kind) => (
        <Group key={kind} justify="space-between" wrap="nowrap">
          <Text size="sm">{t.kinds[kind]}</Text>
          <Text size="sm" fw={600}>
            {toCount(counts[kind]!.count)}
            {counts[kind]!.hasMore && '+'}
          </Text>
        </Group>
      ))}
      <Text size="sm" c="dimmed">
        {t.inFlight}
      </Text>
    </>
  )
}
