#!/usr/bin/env bash
# A real Slurm of one node on this machine, for tests: no systemd, no cgroups, no database, nothing outside DIR.
# Usage: slurm.sh start|stop|env DIR
#   start  starts munged, slurmctld and slurmd from nothing, waits until the node is idle, prints the environment
#   env    prints the environment for clients, as NAME=VALUE lines
#   stop   ends the daemons and whatever jobs they left, and removes what start made
# DIR is a folder with a short path (a socket lies in it). Several can run at once. Root or not, jobs run as the caller.
# The node claims to have 8 CPUs and 16 GB, whatever there is: tests mostly sleep. Memory is enforced by polling once a
# second, since cgroups may be missing.
set -euo pipefail
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"

die() {
    echo "slurm.sh: $*" >&2
    exit 1
}

[ $# -eq 2 ] || die "usage: slurm.sh start|stop|env DIR"
what=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)
conf=$dir/slurm.conf
socket=$dir/munge/socket
made=(munge state spool log slurm.conf cgroup.conf)
host=$(hostname -s 2>/dev/null || hostname)
user=$(id -un)

environment() {
    echo "SLURM_CONF=$conf"
    echo "MUNGE_SOCKET=$socket"
}

# The processes that belong to this Slurm: its daemons and their steps by name, what runs in jobs by the job's number.
ours() {
    local environ pid
    for environ in /proc/[0-9]*/environ; do
        pid=${environ%/environ}
        pid=${pid#/proc/}
        grep -qzxF -e "SLURM_CONF=$conf" "$environ" 2>/dev/null || continue
        case "$(cat "/proc/$pid/comm" 2>/dev/null)" in
        munged | slurm*) echo "$pid" ;;
        *) if grep -qz "^SLURM_JOB_ID=" "$environ" 2>/dev/null; then echo "$pid"; fi ;;
        esac
    done
}

finish() {
    local pid pids round
    for round in $(seq 50); do
        pids=$(ours)
        [ -z "$pids" ] && break
        # First a word, so that daemons end their children; soon without mercy.
        for pid in $pids; do
            if [ "$round" -lt 15 ]; then kill "$pid" 2>/dev/null || true; else kill -9 "$pid" 2>/dev/null || true; fi
        done
        sleep 0.1
    done
    [ -z "$(ours)" ] || die "these do not end: $(ours | tr '\n' ' ')"
    (cd "$dir" && rm -rf "${made[@]}")
}

free_port() {
    local port
    for _ in $(seq 100); do
        port=$((20000 + RANDOM % 12000))
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            return
        fi
    done
    die "no free port"
}

configure() {
    cat >"$conf" <<END
ClusterName=entail
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/state/slurmctld.pid
SlurmdPidFile=$dir/spool/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerParameters=sched_min_interval=0,bf_interval=2,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=300
KillWait=2
MinJobAge=300
MaxArraySize=1001
DefMemPerCPU=100
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes=$host MaxTime=1 State=UP
END
    echo "CgroupAutomount=no" >"$dir/cgroup.conf"
}

logs() {
    tail -n 15 "$dir"/log/*.log 2>/dev/null >&2 || true
}

# Runs a daemon that puts itself into the background.
daemon() {
    local out
    if ! out=$(SLURM_CONF=$conf "$@" 2>&1 </dev/null); then
        echo "$out" >&2
        return 1
    fi
}

launch() {
    (umask 022 && cd "$dir" && mkdir -p munge state spool log)
    chmod 755 "$dir/munge"
    configure
    (umask 077 && head -c 128 /dev/urandom >"$dir/munge/key")
    daemon munged --force --num-threads=2 --key-file="$dir/munge/key" --socket="$socket" \
        --pid-file="$dir/munge/pid" --log-file="$dir/log/munged.log" --seed-file="$dir/munge/seed" || return 1
    daemon slurmctld -c -f "$conf" || return 1
    daemon slurmd -c -f "$conf" || return 1
    for _ in $(seq 150); do
        case "$(SLURM_CONF=$conf timeout 5 sinfo -h -p main -o %T 2>/dev/null)" in
        idle) return 0 ;;
        esac
        # A daemon that ended (its port was taken, say) will not answer.
        [ "$(ours | wc -l)" -ge 3 ] || return 1
        sleep 0.1
    done
    return 1
}

start() {
    local tool
    for tool in munged slurmctld slurmd sbatch squeue; do
        command -v "$tool" >/dev/null || die "$tool is missing: apt-get install slurm-wlm slurmctld slurmd munge"
    done
    [ ${#socket} -lt 100 ] || die "the path is too long for a socket: $dir"
    for _ in 1 2 3; do
        finish
        if launch; then
            environment
            return
        fi
        logs
    done
    finish
    die "Slurm does not start; its logs are above"
}

case "$what" in
start) start ;;
env) environment ;;
stop)
    finish
    rmdir "$dir" 2>/dev/null || true
    ;;
*) die "usage: slurm.sh start|stop|env DIR" ;;
esac
