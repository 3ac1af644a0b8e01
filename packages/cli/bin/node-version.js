// CommonJS, in syntax that old versions of Node parse: the message has to reach their users.
const { engines } = require('../package.json')

const numbers = (version) =>
  version
    .replace(/^[^0-9]*/, '')
    .split('.')
    .map(Number)

/** Returns why this version of Node cannot run Botstead; null if it can. */
const complaintAbout = (version) => {
  const [major, minor] = numbers(version)
  const [neededMajor, neededMinor] = numbers(engines.node)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return null
  return `botstead: Node ${neededMajor}.${neededMinor} or newer is required, and this is Node ${version}. Install a newer one from https://nodejs.org, or with "nvm install ${neededMajor}".`
}

module.exports = { complaintAbout }
