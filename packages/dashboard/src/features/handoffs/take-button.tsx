// A button that lets the reader answer. Before the first time in this browser, it asks for the name
// that visitors see.
import { Button, type ButtonProps, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { useRemembered } from '../../shell/remembered.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.inbox.ownName

interface TakeButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  label: string
  take: () => Promise<unknown>
}

export function TakeButton(props: TakeButtonProps) {
  const account = useQuery(sessionQuery).data?.account
  return account ? <AccountButton {...props} account={account} /> : null
}

interface Named {
  account: Session['account']
}

function AccountButton({ label, take, account, ...look }: TakeButtonProps & Named) {
  const [isNamed, setNamed] = useRemembered(`named.${account.id}`)
  const [isAsking, setAsking] = useState(false)
  const action = useMutation({ mutationFn: take })
  return (
    <>
      <ActionError error={action.error} />
      <Button
        {...look}
        loading={action.isPending}
        onClick={() => (isNamed ? action.mutate() : setAsking(true))}
      >
        {label}
      </Button>
      {isAsking && (
        <AskName
          label={label}
          account={account}
          onNamed={() => {
            setNamed(true)
            setAsking(false)
            action.mutate()
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface AskNameProps extends Named {
  label: string
  onNamed: () => void
  onClose: () => void
}

function AskName({ label, account, onNamed, onClose }: AskNameProps) {
  const queries = useQueryClient()
  const [name, setName] = useState(account.displayName ?? '')
  const save = useMutation({
    mutationFn: async () => {
      if (name === (account.displayName ?? '')) return
      await clientFor().admin.updateAccount({ body: { displayName: name } })
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onSuccess: onNamed,
  })
  return (
    <FormModal title={t.title} action={save} button={label} onClose={onClose}>
      <Text size="sm">{t.hint}</Text>
      <TextInput
        data-autofocus
        label={t.name}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormModal>
  )
}
