// All builders with the kinds of their parts, for the table of docs/moving-in.md.
import { agentsSdkKinds } from './agents-sdk/kinds.ts'
import { botpressKinds } from './botpress/kinds.ts'
import { difyKinds } from './dify/kinds.ts'
import { flowiseKinds } from './flowise/kinds.ts'
import type { SupportedKinds } from './support.ts'
import { typebotKinds } from './typebot/kinds.ts'
import { voiceflowKinds } from './voiceflow/kinds.ts'

export const supportedBuilders: { name: string; files: string; kinds: SupportedKinds }[] =
  [
    { name: 'Typebot', files: '`.json`, all versions', kinds: typebotKinds },
    { name: 'Dify', files: '`.yml`, all modes', kinds: difyKinds },
    {
      name: 'Flowise',
      files: '`.json` of agentflows and chatflows',
      kinds: flowiseKinds,
    },
    { name: 'Voiceflow', files: '`.vf`', kinds: voiceflowKinds },
    {
      name: 'Botpress 12',
      files: '`.bpa`, `.tgz` or `.zip` of one bot',
      kinds: botpressKinds,
    },
    {
      name: 'Agent Builder of OpenAI',
      files: 'the exported `.ts` or `.py`',
      kinds: agentsSdkKinds,
    },
  ]
