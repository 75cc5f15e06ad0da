import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Calls `end` when the running test ends, or outside of a test when its file ends. The last one is called first. */
export function atEnd(end: () => unknown): void {
  const called = async () => void (await end())
  const hooks = hooksOfRun()
  if (TestRunner.getCurrentTest()) onTestFinished(called)
  else if (hooks) hooks.afterAll.push(called)
  else afterAll(called)
}

type Hooks = ReturnType<typeof TestRunner.getSuiteHooks>

/** The hooks of a file whose tests run. They are copied when it has been read, so `afterAll` in a hook adds to none. */
function hooksOfRun(): Hooks | undefined {
  const { file } = TestRunner.getCurrentSuite()
  return file && TestRunner.getSuiteHooks(file)
}
