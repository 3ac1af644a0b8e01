// Pictures, audio and video with addresses of visitors and bots. They load after a click: otherwise their
// servers would learn who reads a conversation, and when. Browsers send cookies to all ports of a host.
import { Avatar, Button } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../texts/texts.ts'

const contents = '/v1/files-content/'

/** Addresses that the member has loaded, until the page is loaded again. */
const loaded = new Set<string>()
export const rememberMedia = (address: string) => void loaded.add(address)

/**
 * Returns whether an address loads without a click: a data URL, the content of a file of this server,
 * or one that was loaded before.
 */
export function loadsMedia(address: string): boolean {
  const { protocol, origin, pathname } = new URL(address, location.href)
  const isOwn = origin === location.origin && pathname.startsWith(contents)
  return protocol === 'data:' || isOwn || loaded.has(address)
}

/** The avatar shows a silhouette if the picture does not load. */
export function ForeignAvatar({ url }: { url: string | undefined }) {
  const [, setClicked] = useState('')
  const isUsable = url !== undefined && URL.canParse(url)
  const isLoaded = isUsable && loadsMedia(url)
  const load = () => {
    rememberMedia(url!)
    setClicked(url!)
  }
  return (
    <>
      <Avatar
        src={isLoaded ? url : null}
        alt=""
        size="lg"
        imageProps={{ referrerPolicy: 'no-referrer' }}
      />
      {isUsable && !isLoaded && (
        <Button size="compact-xs" variant="default" onClick={load}>
          {texts.common.loadPicture(new URL(url).host)}
        </Button>
      )}
    </>
  )
}
