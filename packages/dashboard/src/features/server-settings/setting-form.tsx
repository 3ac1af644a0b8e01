// The frame of one setting: its fields, the buttons, and the result of its test.
import type { ServerSettingsChange } from '@botstead/contract'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ActionError } from '../../parts/action-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { Section } from '../../parts/section.tsx'
import { texts } from '../../texts/texts.ts'
import { type SettingName, useRemoval, useSetting } from './use-setting.ts'

const t = texts.serverSettings

interface SettingFormProps {
  name: SettingName
  setting: { value: unknown; setBy: string | null }
  /** What to store, from the fields. */
  change: ServerSettingsChange
  isChanged: boolean
  /** Of the test e-mail. */
  recipient?: string
  /** Below the title, also while a variable wins. */
  state?: ReactNode
  children: ReactNode
}

export function SettingForm(props: SettingFormProps) {
  const { name, setting, change, isChanged, recipient, state, children } = props
  const { title, hint } = t[name]
  const action = useSetting()
  const [isRemoving, removal] = useDisclosure()
  useUnsaved(isChanged && setting.setBy === null)
  const perform = (what: 'test' | 'save' | 'saveAnyway') =>
    action.mutate({ change, what, ...(recipient && { recipient }) })
  return (
    <Section title={title} hint={hint}>
      {state}
      {setting.setBy === null ? (
        <form
          aria-label={title}
          onSubmit={(event) => {
            event.preventDefault()
            perform('save')
          }}
        >
          <Stack gap="sm">
            {children}
            <Result action={action} onInsist={() => perform('saveAnyway')} />
            <Group>
              <Button type="submit" loading={action.isPending}>
                {texts.common.save}
              </Button>
              <Button
                variant="default"
                disabled={action.isPending}
                onClick={({ currentTarget }) => {
                  if (currentTarget.form?.reportValidity()) perform('test')
                }}
              >
                {t.test}
              </Button>
              {setting.value !== null && (
                <Button
                  variant="default"
                  onClick={removal.open}
                  aria-label={t.removeOne(t[name].title)}
                >
                  {t.remove}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      ) : (
        <Alert color="gray" title={t.setBy(setting.setBy)} className="foreign">
          {t.setByHint}
        </Alert>
      )}
      {/* Beside the form, which would also be submitted by the form of the dialog. */}
      {isRemoving && <Remove name={name} onClose={removal.close} />}
    </Section>
  )
}

interface ResultProps {
  action: ReturnType<typeof useSetting>
  onInsist: () => void
}

function Result({ action: { data, error, isPending }, onInsist }: ResultProps) {
  if (isPending) return null
  if (error) return <ActionError error={error} />
  if (!data?.result) return null
  const { result, isSaved } = data
  if (result.isGood)
    return (
      <Alert color="pine" role="status" title={t.works} className="foreign">
        {result.message} {!isSaved && t.notSaved}
      </Alert>
    )
  return (
    <Alert color="red" role="alert" title={t.worksNot} className="foreign">
      <Stack gap="xs" align="flex-start">
        {result.message}
        <Button variant="default" size="compact-sm" onClick={onInsist}>
          {t.saveAnyway}
        </Button>
      </Stack>
    </Alert>
  )
}

function Remove({ name, onClose }: { name: SettingName; onClose: () => void }) {
  const remove = useRemoval(name)
  return (
    <Confirm
      title={t.removeOne(t[name].title)}
      button={t.remove}
      onConfirm={remove}
      onClose={onClose}
    >
      {t[name].removeText}
    </Confirm>
  )
}
