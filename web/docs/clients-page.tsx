import type { JSX } from 'preact'
import { clientsPath } from '../../core/http/api.ts'
import type { ClientPackage } from '../../core/http/client-packages.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { CodeBlock } from '../play/result.tsx'
import { DocsNav } from './nav.tsx'

interface ClientsProps {
  readonly viewer: Viewer | undefined
  readonly packages: readonly ClientPackage[]
  readonly publicUrl: string
}

/** Client packages, and how to install them from this gateway. */
export function ClientsPage({ viewer, packages, publicUrl }: ClientsProps): JSX.Element {
  return (
    <Layout title="Clients" viewer={viewer} wide script="play.js">
      <DocsNav />
      <h1>Clients</h1>
      <p class="lead">
        Typed clients for TypeScript and Python. They wait for approvals, and repeat requests without doing anything
        twice. Install them from this gateway.
      </p>
      {packages.map(({ file, language }) => {
        const address = `${publicUrl}${clientsPath}/${file}`
        return language === 'typescript' ? (
          <TypeScript key={file} address={address} publicUrl={publicUrl} />
        ) : (
          <Python key={file} address={address} publicUrl={publicUrl} />
        )
      })}
      <section class="card prose" aria-labelledby="updates">
        <h2 id="updates">Updates</h2>
        <p>
          A lock file holds a package’s hash: when this gateway is updated, install the package again. A build that must
          not depend on the gateway keeps the file beside its sources.
        </p>
      </section>
    </Layout>
  )
}

interface PackageProps {
  readonly address: string
  readonly publicUrl: string
}

function TypeScript({ address, publicUrl }: PackageProps): JSX.Element {
  return (
    <section class="card prose" aria-labelledby="typescript">
      <h2 id="typescript">TypeScript and JavaScript</h2>
      <p>
        For Node 20 and later, without dependencies: <a href={address}>download</a>.
      </p>
      <CodeBlock
        code={{ id: 'npm', name: 'Install with npm', hint: 'In your project.', text: `npm install ${address}` }}
      />
      <CodeBlock
        code={{
          id: 'ts',
          name: 'Call from TypeScript',
          hint: 'It returns the output once the user has approved.',
          text: `import { Callgate } from '@callgate/client'
import '@callgate/client/apps' // types of the built-in apps

const callgate = new Callgate({ apiKey: process.env.CALLGATE_API_KEY, baseUrl: '${publicUrl}' })
const output = await callgate.run('app.action', { … }, { onConfirm: (url) => console.log('Approve:', url) })`,
        }}
      />
      <CodeBlock
        code={{
          id: 'cli',
          name: 'The command',
          hint: 'types writes callgate.d.ts: the types of all apps of this gateway, added ones included.',
          text: `npx callgate help\nnpx callgate types --url ${publicUrl}`,
        }}
      />
    </section>
  )
}

function Python({ address, publicUrl }: PackageProps): JSX.Element {
  return (
    <section class="card prose" aria-labelledby="python">
      <h2 id="python">Python</h2>
      <p>
        For Python 3.10 and later, with httpx: <a href={address}>download</a>.
      </p>
      <CodeBlock
        code={{ id: 'pip', name: 'Install with pip', hint: 'Or with uv add.', text: `pip install ${address}` }}
      />
      <CodeBlock
        code={{
          id: 'py',
          name: 'Call from Python',
          hint: 'AsyncCallgate is the same with await.',
          text: `import os
from callgate.apps import Callgate

with Callgate(os.environ["CALLGATE_API_KEY"], "${publicUrl}") as callgate:
    output = callgate.run("app.action", {…}, on_confirm=lambda url, call_id: print("Approve:", url))`,
        }}
      />
    </section>
  )
}
