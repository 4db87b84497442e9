import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { checkPorts } from '../../scripts/supervisor/ports.ts'
import { readSettings } from '../../scripts/supervisor/settings.ts'

const host = '127.0.0.1'

test('a taken port is one line that names its variable', async () => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve))
  onTestFinished(() => void server.close())
  const check = checkPorts([{ variable: 'SANDBOX_PORT', port, host }])
  await expect(check).rejects.toThrow(
    new RegExp(`^Port ${port} is taken by another program: set SANDBOX_PORT to a free one .*$`),
  )
})

test('the port that is proposed instead is one that there is', async () => {
  const server = createServer()
  // Whoever has it already takes it as well.
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve())
    server.listen(64_999, host, resolve)
  })
  onTestFinished(() => void server.close())
  const check = checkPorts([{ variable: 'PORT', port: 64_999, host }])
  await expect(check).rejects.toThrow('(PORT=63999 npm start)')
})

test('free ports pass, and stay free', async () => {
  const wanted = [
    { variable: 'PORT', port: await freePort(), host },
    { variable: 'ADMIN_PORT', port: await freePort(), host },
  ]
  await checkPorts(wanted)
  await checkPorts(wanted)
})

test('one port for two things is one line that names both variables', async () => {
  const port = await freePort()
  const wanted = ['PORT', 'ADMIN_PORT'].map((variable) => ({ variable, port, host }))
  await expect(checkPorts(wanted)).rejects.toThrow(`PORT and ADMIN_PORT are both ${port}`)
})

test('where it is reached follows from where it listens, IPv6 and everywhere too', () => {
  const places = {
    '127.0.0.1': '127.0.0.1',
    '0.0.0.0': '127.0.0.1',
    '::': '127.0.0.1',
    '::1': '[::1]',
    '': '127.0.0.1',
  }
  for (const [HOST, name] of Object.entries(places)) {
    expect(readSettings({ HOST }).publicUrl).toBe(`http://${name}:8080`)
    const config = loadConfig({ DATABASE_URL: 'postgresql://x', TEMPORAL_ADDRESS: 'x:7233', HOST })
    expect([config.publicUrl, config.adminUrl]).toEqual([`http://${name}:8080`, `http://${name}:8081`])
  }
})

test('a variable that is set to nothing is none', () => {
  const required = { DATABASE_URL: 'postgresql://x', TEMPORAL_ADDRESS: 'x:7233' }
  const optional = ['HOST', 'PORT', 'CALLGATE_DIR', 'CALLGATE_SECRETS', 'TEMPORAL_NAMESPACE', 'LOG_LEVEL', 'PUBLIC_URL']
  const empty = loadConfig({ ...required, ...Object.fromEntries(optional.map((name) => [name, ''])) })
  expect(empty).toEqual(loadConfig(required))
  expect(() => loadConfig({ DATABASE_URL: '', TEMPORAL_ADDRESS: 'x:7233' })).toThrow('DATABASE_URL is not set')
})

test('a port that is no number is one line that names its variable', () => {
  for (const text of ['http', '0', '65536', '80.5']) {
    expect(() => readSettings({ ADMIN_PORT: text })).toThrow(
      `ADMIN_PORT must be a port number from 1 to 65535, not "${text}"`,
    )
  }
})
