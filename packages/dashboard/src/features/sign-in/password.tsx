// Setting, changing and removing the password.

import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded, toReason } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { NewPassword } from './new-password.tsx'
import { securityQuery } from './security-query.ts'

export function Password() {
  const query = useQuery(securityQuery)
  return (
    <Section title={texts.account.password} hint={texts.account.passwordHint}>
      <Loaded query={query}>
        {({ hasPassword }) => <Form hasPassword={hasPassword} />}
      </Loaded>
    </Section>
  )
}

function Form({ hasPassword }: { hasPassword: boolean }) {
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const save = useMutation({
    mutationFn: (password: string | null) =>
      clientFor().platform.setPassword({
        body: { password, ...(current !== '' && { currentPassword: current }) },
      }),
    onSuccess: async (_, saved) => {
      notifyDone(
        saved === null ? texts.account.passwordRemoved : texts.account.passwordSet,
      )
      setCurrent('')
      setPassword('')
      await queries.invalidateQueries({ queryKey: securityQuery.queryKey })
      await queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(password)
      }}
    >
      <Stack gap="sm">
        {hasPassword ? (
          <PasswordInput
            label={texts.account.current}
            description={texts.account.currentHint}
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            error={save.error && toReason(save.error)}
          />
        ) : (
          <Text size="sm">{texts.account.passwordNone}</Text>
        )}
        <NewPassword
          label={texts.account.newPassword}
          hint={texts.account.newPasswordHint}
          value={password}
          onChange={setPassword}
        />
        {!hasPassword && <ActionError error={save.error} />}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {hasPassword ? texts.account.changePassword : texts.account.setPassword}
          </Button>
          {hasPassword && (
            <Button variant="default" c="var(--bad)" onClick={() => save.mutate(null)}>
              {texts.account.removePassword}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
