// Adds a dialogue from a form: first its kind, then its questions. It becomes an ordinary flow of the draft.
import {
  type DialogueKind,
  dialogueKinds,
  type KnownTable,
  toBeginning,
  wizardLanguages,
} from '@botstead/flows/wizards'
import { Modal, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { toObject } from '../flows/bot-document.ts'
import styles from '../studio.module.css'
import { nameLanguage } from '../texts/language-names.ts'
import { DialogueForm } from './dialogue-form.tsx'
import { toKnownTables } from './known-tables.ts'

const t = texts.wizards

interface WizardProps {
  openFlow: (flow: string) => void
  onClose: () => void
}

export function DialogueWizard({ openFlow, onClose }: WizardProps) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['tables', botId, 'list'],
    queryFn: ({ signal }) => client.tables.listTables({}, { signal }),
  })
  return (
    <Modal opened onClose={onClose} title={t.title} size="lg">
      <Loaded query={query}>
        {({ tables }) => (
          <Steps tables={toKnownTables(tables)} openFlow={openFlow} onClose={onClose} />
        )}
      </Loaded>
    </Modal>
  )
}

function Steps({ tables, ...rest }: WizardProps & { tables: KnownTable[] }) {
  const { value } = useStudio()
  const [language, setLanguage] = useState(() => toOwnLanguage())
  const [kind, setKind] = useState<DialogueKind | null>(null)
  if (kind === null)
    return <KindChoice language={language} setLanguage={setLanguage} choose={setKind} />
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <DialogueForm
      beginning={toBeginning(kind, value, { language, timezone: timeZone })}
      tables={tables}
      goBack={() => setKind(null)}
      {...rest}
    />
  )
}

/** Returns the language of the browser, if the wizards have it. */
const toOwnLanguage = () =>
  wizardLanguages.find((one) => navigator.language.startsWith(one)) ?? 'en'

interface KindChoiceProps {
  language: string
  setLanguage: (language: string) => void
  choose: (kind: DialogueKind) => void
}

function KindChoice({ language, setLanguage, choose }: KindChoiceProps) {
  const { value } = useStudio()
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  const hasLanguage = typeof toObject(value.languages).default === 'string'
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t.choose}
      </Text>
      {!hasLanguage && (
        <Select
          label={t.language}
          allowDeselect={false}
          value={language}
          data={wizardLanguages.map((tag) => ({ value: tag, label: nameLanguage(tag) }))}
          onChange={(chosen) => setLanguage(chosen ?? language)}
        />
      )}
      <div>
        {dialogueKinds.map((kind, index) => (
          <button
            key={kind}
            ref={index === 0 ? first : undefined}
            type="button"
            className={styles.choice}
            onClick={() => choose(kind)}
          >
            <span>{t.kinds[kind].title}</span>
            <Text size="xs" c="dimmed" component="span">
              {t.kinds[kind].hint}
            </Text>
          </button>
        ))}
      </div>
    </Stack>
  )
}
