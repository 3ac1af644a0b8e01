// How the bot receives messages that a user writes in a row.
import type { BurstRules } from '@botstead/contract'
import { Button, Group, NumberInput, Radio, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.settings.bursts
const modes = Object.keys(t.modes) as BurstRules['mode'][]

/** The rules of the bot. */
export function useBurstRules() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['bots', botId, 'burst-rules'],
    queryFn: ({ signal }) => client.platform.getBurstRules({}, { signal }),
  })
}

export const Bursts = () => (
  <Section title={t.title} hint={t.hint}>
    <Loaded query={useBurstRules()}>
      {({ rules }) => <RulesForm key={JSON.stringify(rules)} stored={rules} />}
    </Loaded>
  </Section>
)

function RulesForm({ stored }: { stored: BurstRules }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const isReadOnly = !useMay()('bots.update')
  const [seconds, setSeconds] = useState(stored.seconds)
  const [mode, setMode] = useState(stored.mode)
  const isSame = seconds === stored.seconds && mode === stored.mode
  useUnsaved(!isSame)
  const save = useMutation({
    mutationFn: () => client.platform.setBurstRules({ body: { seconds, mode } }),
    onSuccess: () => {
      notifyDone(texts.common.saved)
      return queries.invalidateQueries({ queryKey: ['bots', botId, 'burst-rules'] })
    },
    onError: notifyFailed,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="sm">
        <NumberInput
          label={t.seconds}
          description={t.secondsHint}
          value={seconds}
          min={0}
          max={10}
          clampBehavior="strict"
          readOnly={isReadOnly}
          hideControls={isReadOnly}
          onChange={(value) => setSeconds(Number(value))}
        />
        <Radio.Group
          value={mode}
          onChange={(value) => setMode(value as BurstRules['mode'])}
        >
          <Stack gap="xs">
            {modes.map((one) => (
              <Radio
                key={one}
                value={one}
                label={t.modes[one]}
                disabled={isReadOnly || seconds === 0}
              />
            ))}
          </Stack>
        </Radio.Group>
        {!isReadOnly && (
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending} disabled={isSame}>
              {texts.common.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
