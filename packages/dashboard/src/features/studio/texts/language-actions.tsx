// The buttons of the page of texts: add and remove languages, export and import files for translators.
import {
  exportCsv,
  exportXliff,
  readLanguages,
  toNewLanguage,
  toRemovedLanguage,
  withTextKeys,
} from '@botstead/flows/texts'
import { type FilledIn, fillIn, withFilledIn } from '@botstead/flows/wizards'
import { Button, Group, Menu, Select, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { saveFile } from '../../../parts/files/save-file.ts'
import { Confirm } from '../../../parts/forms/confirm.tsx'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { toObject } from '../flows/bot-document.ts'
import { ImportTexts } from './import-texts.tsx'
import { listLanguages, nameLanguage } from './language-names.ts'

const t = texts.studio.languages

type Dialog = 'add' | 'import' | { remove: string }

export function LanguageActions({ shown }: { shown: string[] }) {
  const { value, isEditor } = useStudio()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { original, translations } = readLanguages(value)
  const languages = Object.keys(translations).filter((one) => one !== original)
  const close = () => setDialog(null)
  return (
    <Group gap="xs">
      {languages.length > 0 && <ExportMenu shown={shown} />}
      {isEditor && languages.length > 0 && (
        <Button variant="default" onClick={() => setDialog('import')}>
          {t.import}
        </Button>
      )}
      {isEditor && languages.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default">{t.remove}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {languages.map((language) => (
              <Menu.Item key={language} onClick={() => setDialog({ remove: language })}>
                {nameLanguage(language)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {isEditor && languages.length > 0 && <FillIn />}
      {isEditor && <Button onClick={() => setDialog('add')}>{t.add}</Button>}
      {dialog === 'add' && <AddLanguage onClose={close} />}
      {dialog === 'import' && <ImportTexts onClose={close} />}
      {dialog !== null && typeof dialog === 'object' && (
        <RemoveLanguage language={dialog.remove} onClose={close} />
      )}
    </Group>
  )
}

/** Applies the edits and reports what the wizards have added. */
function useFilling() {
  const { edit } = useStudio()
  return ({ edits, texts, words }: FilledIn) => {
    edit(edits)
    if (texts + words > 0) notifyDone(t.filledIn(texts, words))
  }
}

/** For dialogues that were made before their languages, and texts that were deleted. */
function FillIn() {
  const { value } = useStudio()
  const fill = useFilling()
  const filled = useMemo(() => fillIn(value), [value])
  if (filled.edits.length === 0) return null
  return (
    <Button variant="default" onClick={() => fill(filled)}>
      {t.fillIn}
    </Button>
  )
}

function ExportMenu({ shown }: { shown: string[] }) {
  const { value, edit, isEditor } = useStudio()
  const save = (name: string, type: string, write: (document: unknown) => string) => {
    const keyed = isEditor ? withTextKeys(value) : { edits: [], document: value }
    edit(keyed.edits)
    saveFile(name, new Blob([write(keyed.document)], { type }))
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{t.export}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('texts.csv', 'text/csv', exportCsv)}>
          {t.exportCsv}
        </Menu.Item>
        {shown.map((language) => (
          <Menu.Item
            key={language}
            onClick={() =>
              save(`texts-${language}.xlf`, 'application/xliff+xml', (document) =>
                exportXliff(document, language),
              )
            }
          >
            {t.exportXliff(nameLanguage(language))}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function AddLanguage({ onClose }: { onClose: () => void }) {
  const { value } = useStudio()
  const fill = useFilling()
  const { original, translations } = readLanguages(value)
  const { locale } = toObject(toObject(toObject(value.settings).defaults))
  const [first, setFirst] = useState<string | null>(
    original ?? (typeof locale === 'string' ? locale.split('-')[0]! : 'en'),
  )
  const [language, setLanguage] = useState<string | null>(null)
  const choices = listLanguages()
  const free = choices.filter(
    ({ value: tag }) => tag !== first && !Object.hasOwn(translations, tag),
  )
  const action = {
    mutate() {
      fill(withFilledIn(value, toNewLanguage(value, language!, first!)))
      onClose()
    },
  }
  const isReady = language !== null && first !== null && language !== first
  return (
    <FormModal
      title={t.addTitle}
      button={t.add}
      action={action}
      isReady={isReady}
      onClose={onClose}
    >
      {original === undefined && (
        <Select
          label={t.first}
          description={t.firstHint}
          searchable
          allowDeselect={false}
          value={first}
          data={choices}
          onChange={setFirst}
        />
      )}
      <Select
        label={t.language}
        searchable
        value={language}
        data={free}
        onChange={setLanguage}
      />
      <Text size="sm">{t.addText}</Text>
    </FormModal>
  )
}

function RemoveLanguage({
  language,
  onClose,
}: {
  language: string
  onClose: () => void
}) {
  const { value, edit } = useStudio()
  const count = Object.keys(readLanguages(value).translations[language] ?? {}).length
  const { mutateAsync } = useMutation({
    mutationFn: async () => edit([toRemovedLanguage(language)]),
  })
  return (
    <Confirm
      title={t.removeTitle(nameLanguage(language))}
      button={t.remove}
      onConfirm={mutateAsync}
      onClose={onClose}
    >
      {t.removeText(count)}
    </Confirm>
  )
}
