// Shown over a page after its session expired, so that forms keep their input.
import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionQuery, sessionRenewed } from '../api/session.ts'
import { SignInForms } from '../features/sign-in/sign-in-forms.tsx'
import { texts } from '../texts/texts.ts'

export function Expired() {
  const queries = useQueryClient()
  const session = queries.getQueryData(sessionQuery.queryKey)
  // Signed in, here or in another tab.
  useEffect(() => () => void queries.invalidateQueries(), [queries])
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={texts.shell.expired}>
      <Text mb="md">{texts.shell.expiredHint}</Text>
      <SignInForms
        inNewTab
        email={session?.account.email ?? ''}
        onSignedIn={async () => sessionRenewed()}
      />
    </Modal>
  )
}
