//! The files that LMMS reads: its settings in a home of its own, and the project.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use super::plan::{Row, Session};

/// Ticks from one step to the next.
const STEP_TICKS: u32 = 12;

/// What is lit in the frames that tell where the cells are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    Empty,
    Odd,
    Even,
}

/// Which windows are open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Windows {
    /// The editor only.
    Alone,
    All,
}

/// Writes settings and project, and returns the command line.
pub(super) fn prepare(session: &Session, home: &Path, project: &str) -> Result<String> {
    let failed = || format!("cannot write to {}", home.display());
    let work = home.join("lmms");
    for below in ["projects", "presets", "samples/gig", "samples/soundfonts", "plugins/ladspa", "plugins/vst"] {
        std::fs::create_dir_all(work.join(below)).with_context(failed)?;
    }
    std::fs::write(home.join(".lmmsrc.xml"), settings(session, &work)).with_context(failed)?;
    std::fs::write(home.join("song.mmp"), project).with_context(failed)?;
    let logical = |pixels: u32| (f64::from(pixels) / session.scale) as i64;
    let (width, height) = (logical(session.display.0), logical(session.display.1) - 30);
    let root = if rustix::process::geteuid().is_root() { "--allowroot " } else { "" };
    let (home, scale) = (home.display(), session.scale);
    Ok(format!("HOME={home} QT_SCALE_FACTOR={scale} exec lmms {root}--geometry {width}x{height}+0+0 {home}/song.mmp"))
}

fn settings(session: &Session, work: &Path) -> String {
    let theme = format!("/usr/share/lmms/themes/{}/", session.theme);
    let compact = u8::from(session.compact);
    format!(
        r#"<?xml version="1.0"?>
<!DOCTYPE lmms-config-file>
<lmms version="1.2.2" configversion="1">
 <app configured="1" nomsgaftersetup="1" nommpz="1" disablebackup="1" language="en"/>
 <paths workingdir="{}/" theme="{theme}" artwork="{theme}"/>
 <mixer audiodev="Dummy (no sound output)" mididev="Dummy (no MIDI support)"/>
 <tooltips disabled="1"/>
 <ui enableautosave="0" compacttrackbuttons="{compact}"/>
</lmms>
"#,
        work.display()
    )
}

/// The project as LMMS would save it.
pub(super) fn text(session: &Session, rows: &[Row], windows: Windows) -> String {
    let tracks: String = rows.iter().map(track).collect();
    let length = rows.iter().map(|row| row.steps).max().unwrap_or(16) * STEP_TICKS;
    let other = |name: &str| {
        let cover = session.covers.iter().find(|(cover, _)| *cover == name && windows == Windows::All);
        place(cover.map(|(_, place)| *place))
    };
    format!(
        r#"<?xml version="1.0"?>
<!DOCTYPE lmms-project>
<lmms-project type="song" version="1.0" creator="LMMS" creatorversion="1.2.2">
 <head timesig_denominator="4" bpm="120" masterpitch="0" mastervol="100" timesig_numerator="4"/>
 <song>
  <trackcontainer type="song" {}>
   <track type="1" muted="0" name="Beat/Bassline 0" solo="0">
    <bbtrack>
     <trackcontainer type="bbtrackcontainer" {}>
{tracks}     </trackcontainer>
    </bbtrack>
    <bbtco muted="0" name="" pos="0" len="{length}" usestyle="1" color="4282417407"/>
   </track>
  </trackcontainer>
  <track type="6" muted="0" name="Automation track" solo="0"><automationtrack/></track>
  <fxmixer {}><fxchannel num="0" muted="0" volume="1" name="Master" soloed="0"><fxchain numofeffects="0" enabled="0"/></fxchannel></fxmixer>
  <ControllerRackView {hidden}/>
  <pianoroll {hidden}/>
  <automationeditor {}/>
  <projectnotes {hidden}><![CDATA[]]></projectnotes>
  <timeline lp0pos="0" lp1pos="192" lpstate="0"/>
  <controllers/>
 </song>
</lmms-project>
"#,
        other("song"),
        place(Some(session.window)),
        other("fxmixer"),
        other("automationeditor"),
        hidden = place(None),
    )
}

fn place(window: Option<[i64; 4]>) -> String {
    let [x, y, width, height] = window.unwrap_or([5, 5, 400, 250]);
    let visible = u8::from(window.is_some());
    format!(r#"visible="{visible}" x="{x}" y="{y}" width="{width}" height="{height}" maximized="0" minimized="0""#)
}

fn track(row: &Row) -> String {
    let (name, steps, muted, length) = (&row.name, row.steps, u8::from(row.muted), row.steps * STEP_TICKS);
    let mut text = format!(
        r#"      <track type="0" muted="{muted}" name="{name}" solo="0">
       <instrumenttrack pitch="0" vol="100" fxch="0" pan="0" basenote="57" usemasterpitch="1" pitchrange="1">
        <instrument name="kicker"><kicker/></instrument>
       </instrumenttrack>
       <pattern type="0" muted="0" steps="{steps}" name="{name}" pos="0" len="{length}">
"#
    );
    for (step, velocity) in &row.lit {
        let place = (step - 1) * STEP_TICKS;
        // Writing to a string does not fail.
        let _ = writeln!(text, r#"        <note pos="{place}" len="-192" vol="{velocity}" key="57" pan="0"/>"#);
    }
    text + "       </pattern>\n      </track>\n"
}
