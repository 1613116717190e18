"""Runs browser-use on one task with a model server that is given. Arguments: the task, the page to start on, the
address of the OpenAI-compatible API, the browser's program file, a folder for everything it writes, and the most
steps. Its settings are its own defaults, except for what a closed network and a machine without a screen need.
Prints one JSON object: whether it said that it was done, and its number of steps."""

import asyncio
import json
import os
import sys

task, url, base_url, browser, folder, max_steps = sys.argv[1:7]
os.environ.update(
    ANONYMIZED_TELEMETRY="false",
    BROWSER_USE_CLOUD_SYNC="false",
    BROWSER_USE_CONFIG_DIR=os.path.join(folder, "config"),
    BROWSER_USE_LOGGING_LEVEL="result",
    # A first question that only tests the key.
    SKIP_LLM_API_KEY_VERIFICATION="true",
)

from browser_use import Agent, BrowserProfile, ChatOpenAI  # noqa: E402  (the variables above come first)


async def main():
    profile = BrowserProfile(
        executable_path=browser,
        headless=True,
        chromium_sandbox=os.geteuid() != 0,
        viewport={"width": 1280, "height": 720},
        user_data_dir=os.path.join(folder, "profile"),
        # They would be downloaded.
        enable_default_extensions=False,
        args=["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    )
    agent = Agent(
        task=task,
        llm=ChatOpenAI(model="gpt-4.1", api_key="none", base_url=base_url),
        browser_profile=profile,
        initial_actions=[{"navigate": {"url": url, "new_tab": False}}],
        enable_signal_handler=False,
    )
    history = await agent.run(max_steps=int(max_steps))
    errors = [error for error in history.errors() if error]
    print(json.dumps({"done": history.is_done(), "errors": errors}))


asyncio.run(main())
