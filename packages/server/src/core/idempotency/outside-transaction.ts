// Operations with effects outside the database, which cannot be committed together with their
// response or audit entry; the value is the reason. If such an operation accepts an
// idempotency-key, it claims the key first and stores the response afterwards. If the process dies
// in between, a repetition of the request takes over the claim and performs the operation again.
export const outsideTransaction: Record<string, string> = {
  'runtime.callAction':
    'waits for code that calls back and would wait for the locks of this request; effects elsewhere ' +
    'cannot be rolled back',
  'mcp.sendMcpMessage': 'see runtime.callAction',
  'mcp.sendAuthoringMessage': 'performs other operations, in their own transactions',
  'platform.startCopilotRun': 'reads the draft, which may compute in a thread',
  'platform.testBotDraft':
    'runs code, which takes longer than a transaction should hold its connection',
  'platform.getMcpServer': 'may wait for a server elsewhere',
  'platform.replayWebhookRequest': 'see runtime.callAction',
  'platform.checkChannel': 'waits for a provider',
  'platform.verifyChannel': 'see platform.checkChannel',
  'platform.testChannel': 'sends a message at the provider, which cannot be rolled back',
  'platform.testServerSettings': 'asks servers elsewhere, and sends an e-mail',
  'cognitive.generateText': 'waits for a model, whose costs cannot be rolled back',
  'cognitive.generateTextStream': 'see cognitive.generateText',
  'cognitive.generateAudio': 'see cognitive.generateText',
  'cognitive.generateAudioStream': 'see cognitive.generateText',
  'cognitive.generateImage': 'see cognitive.generateText',
  'cognitive.transcribeAudio': 'see cognitive.generateText',
  'openai.createChatCompletion': 'see cognitive.generateText',
  'openai.createEmbeddings': 'see cognitive.generateText',
  'platform.signInWithLink': 'sets a cookie, which a repeated response does not have',
  'platform.signInWithInvitation': 'see platform.signInWithLink',
  'platform.startOpenId': 'see platform.signInWithLink',
  'platform.signInWithOpenId': 'uses up a code at the provider, and sets a cookie',
  'platform.signInWithPassword': 'counts an attempt, also if it fails',
  'platform.setPassword': 'see platform.signInWithPassword',
  'platform.confirmSecondFactor': 'see platform.signInWithPassword',
  'platform.replaceRecoveryCodes': 'see platform.signInWithPassword',
  'platform.removeSecondFactor': 'see platform.signInWithPassword',
  'platform.acceptInvitation': 'has its own transaction, which locks the invitation',
  'platform.saveBotDraft': 'merges in a thread, and would hold its connection meanwhile',
  'platform.discardBotDraft': 'see platform.saveBotDraft',
  'platform.publishBotDraft':
    'compiles in a thread, and has its own transaction afterwards',
  'platform.tryBotDraft': 'see platform.publishBotDraft',
  'platform.saveDraftTexts': 'see platform.saveBotDraft',
  'files.copyFile': 'copies content, which takes longer than a transaction may be idle',
  'admin.updateBot':
    'returns the result of the registration, which calls code that calls back',
  'admin.deleteAccount': 'deletes workspaces: see admin.deleteWorkspace',
  'admin.deleteWorkspace': 'stops bots and calls `unregister` of integrations first',
  'admin.deleteBot':
    'calls `unregister` of integrations while the bot still exists, and these may call back',
}
