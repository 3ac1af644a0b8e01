// Forms with unsaved changes. Before another page opens, one dialog asks for all of them.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { texts } from '../../texts/texts.ts'

const t = texts.common.unsaved
const unsavedForms = new Set<object>()

/** Asks before this form is left while it has unsaved changes. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return
    const form = {}
    unsavedForms.add(form)
    return () => void unsavedForms.delete(form)
  }, [isChanged])
}

const isUnsaved = () => unsavedForms.size > 0

/** Filters and panels are in the search of the address: they change without leaving the page. */
export function UnsavedDialog() {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved() && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal opened onClose={blocker.reset} title={t.title}>
      <Stack>
        <Text>{t.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={blocker.proceed}>
            {t.leave}
          </Button>
          <Button onClick={blocker.reset} data-autofocus>
            {t.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
