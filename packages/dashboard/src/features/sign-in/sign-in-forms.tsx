// The ways to sign in. A one-time link has its code in the fragment, which reaches no server log. A
// provider returns here with its response in the query.
import { RequestError } from '@botstead/client'
import { Button, Code, Divider, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { signInQuery } from '../../api/session.ts'
import { commandHere } from '../../page-values.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { PasswordForm } from './password-form.tsx'
import { rememberReturn } from './return.ts'

type Arrival = { link: string } | { query: string } | null

let taken: Arrival = null

/** Reads the link or response once. Neither the history nor a screenshot keeps it. */
function takeArrival(): Arrival {
  const link = new URLSearchParams(location.hash.slice(1)).get('link')
  const search = new URLSearchParams(location.search)
  const isResponse = search.has('state') && (search.has('code') || search.has('error'))
  if (link) taken = { link }
  else if (isResponse) taken = { query: location.search }
  if (link || isResponse)
    history.replaceState(
      history.state,
      '',
      location.pathname + (link ? location.search : ''),
    )
  return taken
}

interface SignInFormsProps {
  onSignedIn: () => Promise<void>
  /** A provider opens in a new tab, so that the page stays. */
  inNewTab?: boolean
  /** Of the account with the expired session. */
  email?: string
}

export function SignInForms({
  onSignedIn,
  inNewTab = false,
  email = '',
}: SignInFormsProps) {
  const [arrival] = useState(takeArrival)
  const arrive = useMutation({
    mutationFn: (arrival: NonNullable<Arrival>) => {
      const { platform } = clientFor()
      return 'link' in arrival
        ? platform.signInWithLink({ body: { code: arrival.link } })
        : platform.signInWithOpenId({ body: { query: arrival.query } })
    },
    onSuccess: onSignedIn,
  })
  const { mutate } = arrive
  useEffect(() => {
    if (!arrival || taken !== arrival) return
    taken = null
    mutate(arrival)
  }, [arrival, mutate])
  if (arrive.isPending) return <Loading />
  return (
    <Stack gap="md">
      {arrive.error && <Failed error={arrive.error} />}
      <Ways onSignedIn={onSignedIn} inNewTab={inNewTab} email={email} />
    </Stack>
  )
}

function Ways({ onSignedIn, inNewTab, email }: Required<SignInFormsProps>) {
  const { data, isPending } = useQuery(signInQuery)
  if (isPending) return <Loading />
  return (
    <>
      {data?.openId && <OpenId name={data.openId.name} inNewTab={inNewTab} />}
      {data?.password && <PasswordForm email={email} onSignedIn={onSignedIn} />}
      {(data?.openId || data?.password) && <Divider label={texts.signIn.link} />}
      <Text size="sm">{texts.signIn.howText}</Text>
      <Code block className="wrapped">
        {texts.signIn.command(commandHere)}
      </Code>
    </>
  )
}

function OpenId({ name, inNewTab }: { name: string; inNewTab: boolean }) {
  const start = useMutation({
    mutationFn: (_: Window) => clientFor().platform.startOpenId({ body: {} }),
    onSuccess: ({ url }, target) => target.location.assign(url),
    onError: (_, target) => target !== window && target.close(),
  })
  // The new tab copies the storage, and must open at once: later, browsers block it.
  const open = () => {
    rememberReturn()
    start.mutate((inNewTab && window.open('', '_blank')) || window)
  }
  return (
    <>
      {start.error instanceof RequestError && <Failed error={start.error} />}
      <Button
        variant="default"
        onClick={open}
        loading={start.isPending || (start.isSuccess && !inNewTab)}
      >
        {texts.signIn.openId(name)}
      </Button>
    </>
  )
}
