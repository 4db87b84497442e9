import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterPrograms, clusterSettings } from '../../local-services/cluster.ts'
import { retentionMs, searchAttributes } from '../../local-services/settings.ts'
import { composeProject, root, serviceOf } from './compose-project.ts'
import type { ComposeProject, ComposeService } from './compose-project.ts'

const settings = { PUBLIC_URL: 'https://callgate.test' }
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

describe('docker-compose.yml', () => {
  let dir: string
  let project: ComposeProject
  let tried: ComposeProject
  let all: readonly (readonly [name: string, service: ComposeService])[]
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'callgate-compose-'))
    project = await composeProject(settings)
    tried = await composeProject({ ...settings, COMPOSE_PROFILES: 'sandbox,standby' })
    all = [...Object.entries(project.services), ...Object.entries(tried.services)]
    // Here they may take the minutes that they need the first time.
    await clusterPrograms(process.env, console.log)
  }, 600_000)
  afterAll(() => rm(dir, { recursive: true, force: true }))

  async function altered(from: string, to: string): Promise<ComposeProject> {
    const file = path.join(dir, 'docker-compose.yml')
    const text = read('docker-compose.yml')
    expect(text).toContain(from)
    await writeFile(file, text.replace(from, to))
    return composeProject(settings, [file])
  }

  it('keeps to the compose specification, with and without its profiles', () => {
    const own = ['callgate-api', 'callgate-browser', 'callgate-proxy', 'callgate-worker', 'postgres', 'postgres-backup']
    const engine = ['temporal', 'temporal-namespace', 'temporal-postgres', 'temporal-schema', 'temporal-ui']
    const all = [...own, ...engine]
    expect(Object.keys(project.services).toSorted()).toEqual(all)
    expect(Object.keys(tried.services).toSorted()).toEqual([...all, 'postgres-standby', 'sandbox'].toSorted())
  })

  it('bounds what each service takes of the machine, and asks each that goes on how it is', () => {
    for (const [name, service] of all) {
      const { mem_limit: memory, cpus, pids_limit: pids } = service
      expect(Math.min(Number(memory), cpus ?? 0, pids ?? 0), name).toBeGreaterThan(0)
      if (service.restart === 'unless-stopped') expect(service.healthcheck?.test, name).toBeDefined()
    }
  })

  it('has two API processes, none of which takes a port of the machine', () => {
    const { deploy, ports, environment } = serviceOf(project, 'callgate-api')
    expect([deploy?.replicas, ports]).toEqual([2, undefined])
    // Nobody is there for the proxy until it is ready.
    expect(environment?.['LISTEN_WHEN_READY']).toBe('true')
    const places = [...read('deploy/proxy/haproxy.cfg').matchAll(/server-template api (\d+) callgate-api:(\d+)/g)]
    expect(new Set(places.map(([, , port]) => port))).toEqual(
      new Set(serviceOf(project, 'callgate-proxy').ports?.map(({ target }) => String(target))),
    )
    for (const [, room] of places) expect(Number(room)).toBeGreaterThanOrEqual(2 * 6)
  })

  it('keeps the databases of Callgate and of the engine apart, or together where told so', async () => {
    const { services } = await composeProject({ ...settings, TEMPORAL_POSTGRES: 'postgres' })
    const seeds = [project.services, services].map((one) => one['temporal']?.environment?.['POSTGRES_SEEDS'])
    expect(seeds).toEqual(['temporal-postgres', 'postgres'])
    const connections = serviceOf(project, 'postgres').command?.find((word) => word.includes('max_connections'))
    // During an upgrade: twice as many API processes beside the workers; and the engine's, where they are together.
    expect(Number(connections?.split('=')[1])).toBeGreaterThanOrEqual((4 + 2) * 22 + 120)
  })

  it('runs the sandbox where Callgate looks for it, and where nobody else reaches it', () => {
    const { ports, networks = {}, environment = {} } = serviceOf(tried, 'sandbox')
    expect([ports, Object.keys(networks), environment['SANDBOX_HOST']]).toEqual([undefined, ['inside'], '0.0.0.0'])
    for (const name of ['callgate-api', 'callgate-worker']) {
      const caller = serviceOf(tried, name)
      expect(caller.environment?.['SANDBOX_URL']).toBe(`http://sandbox:${environment['SANDBOX_PORT'] ?? ''}`)
      expect(Object.keys(caller.networks ?? {}), name).toContain('inside')
    }
  })

  it('looks for the apps elsewhere where told so', async () => {
    const { services } = await composeProject({ ...settings, SANDBOX_URL: 'http://apps.test:9000' })
    for (const name of ['callgate-api', 'callgate-worker'])
      expect(services[name]?.environment?.['SANDBOX_URL']).toBe('http://apps.test:9000')
  })

  it.each([
    ['an unknown key', 'stop_grace_period: 60s', 'stop_grace: 60s', /stop_grace/],
    ['an unknown service', 'temporal-schema: { condition', 'schema: { condition', /undefined service/],
    ['an unknown volume', 'erased-list: {}', 'erased: {}', /undefined volume/],
    ['an unknown secret', 'secrets: [postgres_password]', 'secrets: [password]', /undefined secret/],
    ['a port that is none', '${CALLGATE_PORT:-8080}:8080', '${CALLGATE_PORT:-8080}:http', /[Pp]ort/],
  ])('would be refused with %s', async (_what, from, to, why) => {
    await expect(altered(from, to)).rejects.toThrow(why)
  })

  it('asks for the address at which people reach Callgate', async () => {
    await expect(composeProject({})).rejects.toThrow(/PUBLIC_URL is missing/)
  })

  it('names only settings that somebody reads', async () => {
    const { server, sqlTool } = await clusterPrograms(process.env, console.log)
    // The template of the server's configuration is part of the program.
    const serverBytes = readFileSync(server)
    const { stdout: sqlHelp } = await promisify(execFile)(sqlTool, ['--help'])
    // Those that @temporalio/envconfig reads.
    const ofTls = new Set(
      ['TLS', 'TLS_SERVER_NAME', 'TLS_SERVER_CA_CERT_PATH', 'TLS_CLIENT_CERT_PATH', 'TLS_CLIENT_KEY_PATH'].map(
        (name) => `TEMPORAL_${name}`,
      ),
    )
    const [config, sandboxConfig] = [read('config.ts'), read('sandbox/config.ts')]
    const [, browserConfig = ''] = config.split('function loadBrowserServerConfig')
    const script = (name: string, setting: string): boolean =>
      read(`deploy/temporal/${name}.sh`).includes(`$${setting}`)
    // Source: the image's own documentation.
    const ofDatabase = (setting: string): boolean => /^POSTGRES_(USER|DB|PASSWORD_FILE|INITDB_ARGS)$/.test(setting)
    const known: Record<string, (setting: string) => boolean> = {
      'callgate-api': (setting) => config.includes(`'${setting}'`) || ofTls.has(setting),
      'callgate-worker': (setting) => config.includes(`'${setting}'`) || ofTls.has(setting),
      sandbox: (setting) => sandboxConfig.includes(`'${setting}'`),
      'callgate-browser': (setting) => browserConfig.includes(`'${setting}'`),
      temporal: (setting) =>
        serverBytes.includes(`env "${setting}"`) ||
        ['TEMPORAL_ALLOW_NO_AUTH', 'TEMPORAL_VERSION_CHECK_DISABLED', 'GOGC', 'GOMEMLIMIT'].includes(setting) ||
        script('server', setting),
      'temporal-schema': (setting) => sqlHelp.includes(`[$${setting}]`) || script('schema', setting),
      // The command itself reads those of TLS. Source: @temporalio/envconfig, which is the same for all SDKs.
      'temporal-namespace': (setting) => script('namespace', setting) || setting.startsWith('TEMPORAL_TLS'),
      // Source: config/docker.yaml of the temporal-ui image's server.
      'temporal-ui': (setting) =>
        ['TEMPORAL_ADDRESS', 'TEMPORAL_DISABLE_NEWS_FETCH'].includes(setting) ||
        /^TEMPORAL_TLS_(CA|CERT|KEY|SERVER_NAME|ENABLE_HOST_VERIFICATION)$/.test(setting),
      postgres: ofDatabase,
      'temporal-postgres': ofDatabase,
      'postgres-standby': (setting) =>
        ofDatabase(setting) ||
        read('deploy/postgres/start.sh').includes(`$${setting}`) ||
        read('deploy/postgres/start.sh').includes(`\${${setting}`),
      // libpq's own, and the script's.
      'postgres-backup': (setting) =>
        /^PG(HOST|USER)$/.test(setting) || /\bBACKUP_DAYS|POSTGRES_PASSWORD_FILE/.test(setting),
      'callgate-proxy': (setting) => read('deploy/proxy/haproxy.cfg').includes(setting),
    }
    const unknown = all.flatMap(([name, { environment = {} }]) =>
      Object.keys(environment).filter((setting) => known[name]?.(setting) !== true),
    )
    expect(unknown).toEqual([])
    expect(known['temporal']?.('POSTGRES_PASSWORD'), 'and the check can fail').toBe(false)
  })

  it('has one service build the image of the programs and the sandbox its own; none looks for them elsewhere', () => {
    const ours = all.filter(([, { image }]) => /^callgate[:-]/.test(image))
    const targets = ours.flatMap(([name, { build }]) => (build === undefined ? [] : [[name, build.target] as const]))
    expect(Object.fromEntries(targets)).toEqual({
      'callgate-api': 'server',
      'callgate-browser': 'browser',
      sandbox: 'sandbox',
    })
    for (const [name, { pull_policy: pull }] of ours) expect(pull, name).toBe('never')
  })

  it('follows changed ports with the addresses that it shows to operators', async () => {
    const { services } = await composeProject({ ...settings, CALLGATE_ADMIN_PORT: '9081', TEMPORAL_UI_PORT: '9233' })
    expect(services['callgate-api']?.environment).toMatchObject({
      CALLGATE_ADMIN_URL: 'http://127.0.0.1:9081',
      TEMPORAL_UI_URL: 'http://127.0.0.1:9233',
    })
  })

  it('hands secrets over as files, never as values', () => {
    for (const [name, { environment = {} }] of all)
      for (const [setting, value] of Object.entries(environment))
        if (/PASSWORD|PWD|SECRET|TOKEN/.test(setting))
          expect(value, `${name} ${setting}`).toMatch(/^\/run\/secrets\/\w+$/)
    expect(JSON.stringify(project)).not.toMatch(/:\/\/[^/@"]+:[^/@"]+@/)
  })

  it('pins each image, and the version of the engine that is tested here', () => {
    const { services } = project
    const tagged = (image = '') => image.split('@')[0]
    const images = Object.values(services).map(({ image }) => tagged(image))
    for (const image of images) expect(image).toMatch(/^[\w./-]+:(\d+\.\d+\S*|local)$/)
    const version = /go\.temporal\.io\/server v(\S+)/.exec(read('engine/cluster/go.mod'))?.[1] ?? ''
    expect(read('engine/go.mod')).toContain(`go.temporal.io/server v${version}`)
    expect(tagged(services['temporal']?.image)).toBe(`temporalio/server:${version}`)
    for (const job of ['temporal-schema', 'temporal-namespace'])
      expect(tagged(services[job]?.image)).toBe(`temporalio/admin-tools:${version}`)
    const ui = /temporalio\/ui-server\/v2 v(\S+)/.exec(read('engine/go.mod'))?.[1] ?? ''
    expect(tagged(services['temporal-ui']?.image)).toBe(`temporalio/ui:${ui}`)
  })

  it('makes the namespace as the embedded engine has it', () => {
    const { environment } = serviceOf(project, 'temporal-namespace')
    expect(environment?.['SEARCH_ATTRIBUTES']).toBe(searchAttributes.join(' '))
    expect(environment?.['RETENTION']).toBe(`${retentionMs / 86_400_000}d`)
    for (const name of ['callgate-api', 'callgate-worker'])
      expect(serviceOf(project, name).environment?.['TEMPORAL_NAMESPACE']).toBe(environment?.['TEMPORAL_NAMESPACE'])
  })

  it('tells its server what npm run scale -- --engine cluster tells its own', () => {
    expect(serviceOf(project, 'temporal').environment).toMatchObject(clusterSettings)
  })

  it('gives the server the dynamic config of the embedded engine, all of whose keys it knows', async () => {
    const { volumes = [], environment } = serviceOf(project, 'temporal')
    const mounted = volumes.find(({ target }) => target === environment?.['DYNAMIC_CONFIG_FILE_PATH'])
    expect(mounted?.source).toBe(path.join(root, 'engine/dynamic-config.yaml'))
    const { server } = await clusterPrograms(process.env, console.log)
    const validate = async (file: string) =>
      (await promisify(execFile)(server, ['validate-dynamic-config', file])).stdout
    expect(await validate(mounted?.source ?? '')).not.toMatch(/error|warning/)
    const wrong = path.join(dir, 'wrong.yaml')
    await writeFile(wrong, 'matching.enableFairnes: [{ value: true }]\n')
    expect(await validate(wrong)).toMatch(/warning/)
  })

  it('mounts what is there', () => {
    const sources = all.flatMap(([, { volumes = [] }]) =>
      volumes.flatMap(({ type, source }) => (type === 'bind' ? source : [])),
    )
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources) expect(existsSync(source), source).toBe(true)
  })

  it('is reached from this machine only', () => {
    const ports = all.flatMap(([, service]) => service.ports ?? [])
    expect(ports.length).toBeGreaterThan(3)
    expect(serviceOf(project, 'callgate-proxy').ports).toHaveLength(3)
    for (const port of ports) expect(port.host_ip, port.published).toBe('127.0.0.1')
    for (const name of ['postgres', 'postgres-backup', 'temporal-postgres', 'temporal']) {
      expect(serviceOf(project, name).ports).toBeUndefined()
      expect(Object.keys(serviceOf(project, name).networks ?? {})).toEqual(['inside'])
    }
  })

  it('gives nobody more rights than they need, and keeps what serves alive', () => {
    for (const [name, service] of all) {
      expect(service.security_opt, name).toContain('no-new-privileges:true')
      expect(service.restart, name).toMatch(/unless-stopped|on-failure/)
      // Its set-up changes the owner of its files.
      if (!/^(?:temporal-)?postgres(?:-standby)?$/.test(name)) expect(service.cap_drop, name).toEqual(['ALL'])
      if (/^callgate[:-]/.test(service.image))
        expect([service.user, service.read_only], name).toEqual(['1000:1000', true])
    }
  })

  it('starts Callgate after database and namespace, and lets it finish what it began', () => {
    for (const name of ['callgate-api', 'callgate-worker']) {
      const { depends_on: needs = {}, stop_grace_period: patience } = serviceOf(project, name)
      expect(needs['postgres']?.condition).toBe('service_healthy')
      expect(needs['temporal-namespace']?.condition).toBe('service_completed_successfully')
      expect(patience).toBe('1m40s')
    }
    expect(serviceOf(project, 'callgate-worker').depends_on?.['callgate-api']?.condition).toBe('service_healthy')
  })

  it('keeps the browser of the connect page apart: API processes reach it with a secret, and it reaches nobody else', () => {
    const { networks = {}, ports, secrets, volumes, environment = {} } = serviceOf(project, 'callgate-browser')
    expect([Object.keys(networks), ports, volumes]).toEqual([['browser'], undefined, undefined])
    expect(project.networks['browser']?.internal).toBe(true)
    const there = Object.entries(tried.services).filter(([, service]) => service.networks?.['browser'] !== undefined)
    expect(there.map(([name]) => name).toSorted()).toEqual(['callgate-api', 'callgate-browser'])
    expect(secrets?.map(({ source }) => source)).toEqual(['browser_secret'])
    const holders = Object.entries(tried.services).filter(([, service]) =>
      service.secrets?.some(({ source }) => source === 'browser_secret'),
    )
    expect(holders.map(([name]) => name).toSorted()).toEqual(['callgate-api', 'callgate-browser'])
    expect(Object.keys(environment).toSorted()).toEqual([
      'CALLGATE_BROWSERS',
      'CALLGATE_BROWSER_SECRET_FILE',
      'CALLGATE_DIR',
      'HOST',
      'PORT',
    ])
    const api = serviceOf(project, 'callgate-api')
    expect(api.environment?.['CALLGATE_BROWSER_URL']).toBe(`http://callgate-browser:${environment['PORT'] ?? ''}`)
    expect(api.secrets?.map(({ source }) => source)).toEqual(
      expect.arrayContaining(serviceOf(project, 'callgate-worker').secrets?.map(({ source }) => source) ?? []),
    )
    // Nothing can be run there that the image does not hold.
    expect(api.tmpfs?.filter((one) => /\bexec\b/.test(one))).toEqual([])
    expect(api.security_opt?.filter((text) => text.startsWith('seccomp='))).toEqual([])
    // It serves everything else without a browser.
    expect(api.depends_on?.['callgate-browser']?.condition).toBe('service_started')
  })

  it('lets the browser of the connect page build its own sandbox, and little else', () => {
    const option = serviceOf(project, 'callgate-browser').security_opt?.find((text) => text.startsWith('seccomp='))
    const profile = JSON.parse(read(option?.split('=')[1] ?? '')) as {
      defaultAction: string
      syscalls: { names: string[]; action: string }[]
    }
    const refused = profile.syscalls.flatMap(({ names, action }) => (action === 'SCMP_ACT_ERRNO' ? names : []))
    for (const needed of ['clone', 'unshare', 'setns', 'chroot']) expect(refused).not.toContain(needed)
    for (const dangerous of ['mount', 'bpf', 'keyctl', 'init_module', 'kexec_load', 'io_uring_setup'])
      expect(refused).toContain(dangerous)
  })
})
