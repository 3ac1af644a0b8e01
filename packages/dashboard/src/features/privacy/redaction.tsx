// Patterns that the server replaces in new data, with a text to try them on.
import type { RedactionKind, RedactionPlace, RedactionRule } from '@botstead/contract'
import {
  Button,
  Checkbox,
  Code,
  Group,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { useQuestionsFor } from './asked-data.ts'

const t = texts.privacy.redaction
const redactionKinds = Object.keys(t.kinds) as RedactionKind[]
const redactionPlaces = Object.keys(t.places) as RedactionPlace[]

export function Redaction() {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['bots', botId, 'redaction'],
    queryFn: ({ signal }) => client.platform.getRedaction({}, { signal }),
  })
  return (
    <Section title={t.title} hint={t.hint}>
      <Loaded query={query}>
        {({ rules, installation }) => (
          <RedactionForm stored={rules} installation={installation} />
        )}
      </Loaded>
    </Section>
  )
}

interface RedactionFormProps {
  stored: RedactionRule[]
  installation: RedactionRule[]
}

function RedactionForm({ stored, installation }: RedactionFormProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const isEditor = useMay()('data.write')
  const [rules, setRules] = useState(() => listed(stored))
  const used = rules.filter(isUsed)
  const isSaved = JSON.stringify(used) === JSON.stringify(listed(stored).filter(isUsed))
  useUnsaved(!isSaved)
  const save = useMutation({
    mutationFn: () => client.platform.setRedaction({ body: { rules: used } }),
    onSuccess: async () => {
      notifyDone(texts.common.saved)
      await queries.invalidateQueries({ queryKey: ['bots', botId, 'redaction'] })
    },
  })
  const change = (index: number, rule: RedactionRule | null) =>
    setRules(rule ? rules.with(index, rule) : rules.toSpliced(index, 1))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="sm">
        {installation.length > 0 && (
          <Text size="sm">
            {t.installation(installation.map(({ kind }) => t.kinds[kind]))}
          </Text>
        )}
        {rules.map((rule, index) => (
          <Rule
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and stay in order
            key={index}
            rule={rule}
            isReadOnly={!isEditor}
            onChange={(changed) => change(index, changed)}
          />
        ))}
        {isEditor && (
          <>
            <Button
              variant="default"
              style={{ alignSelf: 'start' }}
              disabled={rules.length >= 20}
              onClick={() =>
                setRules([
                  ...rules,
                  { kind: 'custom', pattern: '', where: [...redactionPlaces] },
                ])
              }
            >
              {t.add}
            </Button>
            <TryText rules={used} />
            <ActionError error={save.error} />
            <Group justify="flex-end">
              <Button type="submit" disabled={isSaved} loading={save.isPending}>
                {texts.common.save}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </form>
  )
}

const isCustom = ({ kind }: RedactionRule) => kind === 'custom'
const isUsed = ({ kind, pattern, where }: RedactionRule) =>
  where.length > 0 && (kind !== 'custom' || pattern !== '')

const listed = (stored: RedactionRule[]) => [...known(stored), ...stored.filter(isCustom)]

/** One rule for each kind that the server knows; without places it is off. */
const known = (stored: RedactionRule[]): RedactionRule[] =>
  redactionKinds
    .filter((kind) => kind !== 'custom')
    .map((kind) => stored.find((rule) => rule.kind === kind) ?? { kind, where: [] })

interface RuleProps {
  rule: RedactionRule
  isReadOnly: boolean
  onChange: (rule: RedactionRule | null) => void
}

function Rule({ rule, isReadOnly, onChange }: RuleProps) {
  const name = t.kinds[rule.kind as RedactionKind]
  return (
    <Stack gap={isCustom(rule) ? 'xs' : 4} role="group" aria-label={name}>
      {isCustom(rule) ? (
        <Group align="end" gap="sm">
          <TextInput
            label={t.pattern}
            placeholder="K-\d{6}"
            maxLength={500}
            value={rule.pattern ?? ''}
            readOnly={isReadOnly}
            onChange={(event) =>
              onChange({ ...rule, pattern: event.currentTarget.value })
            }
          />
          <TextInput
            label={t.replacement}
            placeholder="[redacted]"
            maxLength={100}
            value={rule.replacement ?? ''}
            readOnly={isReadOnly}
            onChange={(event) =>
              onChange(withReplacement(rule, event.currentTarget.value))
            }
          />
          {!isReadOnly && (
            <Button variant="subtle" onClick={() => onChange(null)}>
              {t.remove}
            </Button>
          )}
        </Group>
      ) : (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      )}
      <Checkbox.Group
        value={rule.where}
        onChange={(where) => onChange({ ...rule, where: where as RedactionPlace[] })}
        aria-label={texts.common.labelled(name, t.where)}
      >
        <Group gap="md">
          {redactionPlaces.map((place) => (
            <Checkbox
              key={place}
              value={place}
              label={t.places[place]}
              disabled={isReadOnly}
              size="sm"
            />
          ))}
        </Group>
      </Checkbox.Group>
      {rule.where.includes('storage') && <StorageEffect kind={rule.kind} />}
    </Stack>
  )
}

/** Warns that bots receive the replaced text, and names the questions that are then never answered. */
function StorageEffect({ kind }: { kind: string }) {
  const questions = useQuestionsFor(kind)
  return (
    <Text
      size="sm"
      role="status"
      className="foreign"
      {...(questions.length > 0 && { c: 'var(--bad)' })}
    >
      {t.storageEffect} {questions.length > 0 && t.asksFor(questions)}
    </Text>
  )
}

function withReplacement(
  { replacement: _, ...rule }: RedactionRule,
  text: string,
): RedactionRule {
  return text === '' ? rule : { ...rule, replacement: text }
}

function TryText({ rules }: { rules: RedactionRule[] }) {
  const { client } = useBot()
  const [text, setText] = useState('')
  const attempt = useMutation({
    mutationFn: () => client.platform.tryRedaction({ body: { rules, text } }),
  })
  return (
    <>
      <Textarea
        label={t.try}
        description={t.tryHint}
        autosize
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        variant="default"
        style={{ alignSelf: 'start' }}
        disabled={text === ''}
        loading={attempt.isPending}
        onClick={() => attempt.mutate()}
      >
        {t.show}
      </Button>
      <ActionError error={attempt.error} />
      {attempt.data && (
        <Stack gap={4} aria-live="polite">
          <Code block className="foreign">
            {attempt.data.text}
          </Code>
          <Text size="sm">
            {attempt.data.matches.length === 0
              ? t.noMatch
              : attempt.data.matches
                  .map(({ kind, text: match }) =>
                    texts.common.labelled(t.kinds[kind], match),
                  )
                  .join(texts.common.comma)}
          </Text>
        </Stack>
      )}
    </>
  )
}
