// Signing in with e-mail address, password and, if the account has a second factor, a code.
import { RequestError } from '@botstead/client'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { toReason } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

interface PasswordFormProps {
  /** Of the account with the expired session. */
  email?: string
  onSignedIn: () => Promise<void>
}

export function PasswordForm({ email: known = '', onSignedIn }: PasswordFormProps) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const signIn = useMutation({
    mutationFn: () =>
      clientFor().platform.signInWithPassword({
        body: { email, password, ...(code !== null && { code: code.trim() }) },
      }),
    onSuccess: async ({ needsCode }) => {
      if (needsCode) setCode('')
      else await onSignedIn()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      <Stack gap="sm">
        {code === null ? (
          <>
            <TextInput
              label={texts.signIn.email}
              placeholder={texts.common.examples.email}
              type="email"
              autoComplete="username"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              required
            />
            <PasswordInput
              label={texts.signIn.password}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              required
            />
          </>
        ) : (
          <TextInput
            label={texts.signIn.code}
            description={texts.signIn.codeHint}
            autoComplete="one-time-code"
            minLength={6}
            maxLength={30}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            required
            autoFocus
          />
        )}
        {signIn.error && (
          <Alert color="red" role="alert">
            {toMessage(signIn.error, code !== null)}
          </Alert>
        )}
        <Button type="submit" loading={signIn.isPending}>
          {texts.signIn.submit}
        </Button>
        {code !== null && (
          <Button
            variant="subtle"
            onClick={() => {
              setCode(null)
              setPassword('')
              signIn.reset()
            }}
          >
            {texts.signIn.otherAccount}
          </Button>
        )}
      </Stack>
    </form>
  )
}

function toMessage(error: Error, hasCode: boolean): string {
  if (error instanceof RequestError && error.status === 401)
    return hasCode ? texts.signIn.wrongCode : texts.signIn.wrong
  if (error instanceof RequestError && error.status === 429)
    return texts.signIn.wait(error.retryAfter ?? 60)
  return toReason(error)
}
